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

/** The color of a piece of a strip. */
export const STRIP_CLASSES: Readonly<Record<StripKind, string>> = {
  text: 'bg-strip-text',
  mark: 'bg-strip-mark',
  reasoning: 'bg-solid-think',
  call: 'bg-solid-call',
  malformed: 'bg-solid-no',
  'made-up': 'bg-solid-fake',
  waiting: 'bg-solid-wait',
  done: 'bg-solid-ok',
}

/** The class of a piece of text, colored by its kind. */
export const TEXT_CLASSES: Readonly<Record<StripKind, string>> = {
  text: '',
  mark: 'read-mark',
  reasoning: 'read-reasoning',
  call: 'read-call',
  malformed: 'read-malformed',
  'made-up': 'read-forged',
  waiting: 'read-call',
  done: 'read-call',
}

/** The reading strip: the kinds of a text's pieces, drawn to scale. */
export function Strip({
  pieces,
  className = '',
}: {
  readonly pieces: readonly (readonly [StripKind, number])[]
  readonly className?: string
}): ReactNode {
  const sum = pieces.reduce((total, [, length]) => total + length, 0)
  return (
    <span className={`strip ${className}`} aria-hidden="true">
      {pieces.map(([kind, length], at) => (
        <b key={at} className={STRIP_CLASSES[kind]} style={{ flex: Math.max(length, sum / 120) }} />
      ))}
    </span>
  )
}
