import type { ComponentProps, ReactNode } from 'react'
import type { Tone } from './tone.ts'

interface Look {
  /** Default: gray. */
  readonly tone?: Tone | undefined
  /** True if only its outline is drawn. */
  readonly outline?: boolean
  readonly mono?: boolean
  readonly className?: string
}

/** A short label in a box. */
export function Chip({
  tone,
  outline,
  mono,
  className,
  ...others
}: Look & ComponentProps<'span'>): ReactNode {
  return <span className={chipClass({ tone, outline, mono, className })} {...others} />
}

/** Classes of a chip, for elements other than a span. */
export function chipClass({
  tone,
  outline = false,
  mono = false,
  className = '',
}: Look = {}): string {
  return `chip ${tone === undefined ? '' : TONES[tone]} ${outline ? 'bg-transparent inset-ring inset-ring-line-2' : ''} ${mono ? 'font-mono font-500 tracking-[-0.01em]' : ''} ${className}`
}

const TONES: Readonly<Record<Tone, string>> = {
  ok: 'bg-ok-bg text-ok',
  ask: 'bg-ask-bg text-ask',
  no: 'bg-no-bg text-no',
  call: 'bg-call-bg-2 text-call',
  fake: 'bg-fake-bg text-fake',
  think: 'bg-think-bg text-think',
}
