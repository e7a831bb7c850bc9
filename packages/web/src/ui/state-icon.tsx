import type { ReactNode } from 'react'

/** The color of a state. */
export type StateTone = 'ok' | 'no' | 'ask' | 'off' | 'call' | 'fake' | 'think'

/** An icon or a spinner in the color of a state. Default: the text color. */
export function StateIcon({
  tone,
  className = '',
  children,
}: {
  readonly tone?: StateTone | '' | undefined
  readonly className?: string
  readonly children: ReactNode
}): ReactNode {
  return (
    <span
      className={`grid size-[18px] flex-none place-items-center [&_svg]:size-[15px] ${tone ? TONES[tone] : ''} ${className}`}
    >
      {children}
    </span>
  )
}

const TONES: Readonly<Record<StateTone, string>> = {
  ok: 'text-ok',
  no: 'text-no',
  ask: 'text-ask',
  off: 'text-ink-3',
  call: 'text-call',
  fake: 'text-fake',
  think: 'text-think',
}
