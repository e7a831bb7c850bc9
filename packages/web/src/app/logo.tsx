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

/** Three lines of a reply, as they are read. */
export function Logo(): ReactNode {
  return (
    <span className="logo" aria-hidden="true">
      {ROWS.map(([gridRow, gridColumn, color]) => (
        <b
          key={`${gridRow}${gridColumn}`}
          style={{ gridRow, gridColumn, background: `var(--${color})` }}
        />
      ))}
    </span>
  )
}
