import type { ReactNode } from 'react'
import { Icon } from '../ui/icon.tsx'

/** A problem with sending a message. Buttons go at the end of the line. */
export function ProblemLine({
  tone = 'no',
  children,
}: {
  readonly tone?: 'no' | 'ask'
  readonly children: ReactNode
}): ReactNode {
  return (
    <div
      className={`flex items-start gap-2 rounded-md border py-[5px] pr-1.5 pl-[9px] text-left wrap-anywhere ${TONES[tone]}`}
    >
      <Icon name="hand" className="mt-0.5" />
      {children}
    </div>
  )
}

const TONES = {
  no: 'border-no-line bg-no-bg text-no',
  ask: 'border-ask-line bg-ask-bg text-ask',
} as const
