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

/** The class of a piece of a strip. */
export const STRIP_CLASSES: Readonly<Record<StripKind, string>> = {
  text: 't',
  mark: 'k',
  reasoning: 'r',
  call: 'c',
  malformed: 'm',
  'made-up': 'f',
  waiting: 'w',
  done: 'o',
}

/** The class of a piece of a text that is colored by how it was read. */
export const TEXT_CLASSES: Readonly<Record<StripKind, string>> = {
  text: '',
  mark: 'w-k',
  reasoning: 'w-r',
  call: 'w-c',
  malformed: 'w-m',
  'made-up': 'w-f',
  waiting: 'w-c',
  done: 'w-c',
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
        <b key={at} className={STRIP_CLASSES[kind]} style={{ flex: Math.max(length, sum / 120) }} />
      ))}
    </span>
  )
}
