import type { ReactNode } from 'react'

const ROWS = [
  [1, '1/4', 'strip-text'],
  [1, '4/7', 'solid-call'],
  [2, '1/2', 'solid-think'],
  [2, '2/5', 'solid-call'],
  [2, '5/7', 'strip-text'],
  [3, '1/5', 'strip-text'],
  [3, '5/7', 'solid-ok'],
] as const

/** Classes of the logo with the name beside it. */
export const BRAND =
  'flex h-(--top-bar) items-center gap-[9px] text-14 font-620 tracking-[-0.01em] tablet:text-[length:0px]'

/** Three lines of a parsed reply. */
export function Logo(): ReactNode {
  return (
    <span
      className="grid w-[23px] grid-cols-[repeat(6,3px)] grid-rows-[repeat(3,5px)] gap-x-px gap-y-[1.5px]"
      aria-hidden="true"
    >
      {ROWS.map(([gridRow, gridColumn, color]) => (
        <b
          key={`${gridRow}${gridColumn}`}
          className="rounded-[1px]"
          style={{ gridRow, gridColumn, background: `var(--${color})` }}
        />
      ))}
    </span>
  )
}
