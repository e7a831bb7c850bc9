import type { ComponentProps, ReactNode } from 'react'

/** Tones of a dot. */
export type DotTone = 'ok' | 'ask' | 'no' | 'call'

/** A small dot in the color of a state. Default: gray. */
export function Dot({
  tone,
  className = '',
  ...others
}: { readonly tone?: DotTone | undefined } & ComponentProps<'i'>): ReactNode {
  return (
    <i
      className={`size-[7px] flex-none rounded-[50%] ${tone === undefined ? 'bg-mark' : TONES[tone]} ${className}`}
      {...others}
    />
  )
}

const TONES: Readonly<Record<DotTone, string>> = {
  ok: 'bg-solid-ok',
  ask: 'bg-solid-wait',
  no: 'bg-solid-no',
  call: 'bg-solid-call',
}
