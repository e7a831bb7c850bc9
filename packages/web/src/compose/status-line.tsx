import type { ReactNode } from 'react'
import { Icon, type IconName } from '../ui/icon.tsx'

/** The color of a status line. */
export type StatusTone = 'ask' | 'no' | 'quiet'

/** A line above the composer about the state of the run, with buttons at its end. */
export function StatusLine({
  tone = 'ask',
  icon,
  role,
  isLong = false,
  actions,
  children,
}: {
  readonly tone?: StatusTone | undefined
  readonly icon: IconName
  readonly role: 'alert' | 'status'
  /** True if the buttons go below the text. */
  readonly isLong?: boolean
  readonly actions?: ReactNode
  readonly children: ReactNode
}): ReactNode {
  return (
    <div
      className={`mb-2 flex flex-wrap items-start gap-x-2 gap-y-1 rounded-lg border py-[7px] pr-2 pl-[11px] wrap-anywhere [&_.button]:flex-none [&_.button]:text-ink [&_b]:font-580 ${TONES[tone]}`}
      role={role}
    >
      <Icon name={icon} className="mt-0.5" />
      <div
        className={`max-h-[30vh] min-w-0 grow self-center overflow-auto ${isLong ? 'basis-[calc(100%-32px)]' : 'basis-60'}`}
      >
        {children}
      </div>
      {actions !== undefined && <div className="cluster ml-auto gap-1">{actions}</div>}
    </div>
  )
}

const TONES: Readonly<Record<StatusTone, string>> = {
  ask: 'border-ask-line bg-ask-bg text-ask',
  no: 'border-no-line bg-no-bg text-no',
  quiet: 'border-line bg-sunk text-ink-2',
}
