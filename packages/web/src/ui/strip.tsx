import type { ReactNode } from 'react'

/** The meaning of a piece of a strip. */
export type StripKind =
  | 'text'
  | 'mark'
  | 'reasoning'
  | 'call'
  | 'malformed'
  | 'made-up'
  | 'waiting'
  | 'done'

const CLASSES: Readonly<Record<StripKind, string>> = {
  text: 't',
  mark: 'k',
  reasoning: 'r',
  call: 'c',
  malformed: 'm',
  'made-up': 'f',
  waiting: 'w',
  done: 'o',
}

/** The reading strip: what a text was read as, drawn to scale. */
export function Strip({
  pieces,
}: {
  readonly pieces: readonly (readonly [StripKind, number])[]
}): ReactNode {
  const sum = pieces.reduce((total, [, length]) => total + length, 0)
  return (
    <span className="strip" aria-hidden="true">
      {pieces.map(([kind, length], at) => (
        <b key={at} className={CLASSES[kind]} style={{ flex: Math.max(length, sum / 120) }} />
      ))}
    </span>
  )
}
