import type { ReactNode } from 'react'
import { type Key, useWords } from '../words/words.ts'
import type { GatewayRequest } from './fold-requests.ts'
import { Chip } from '../ui/chip.tsx'
import { Dot, type DotTone } from '../ui/dot.tsx'
import { Spinner } from '../ui/spinner.tsx'

type Outcome = GatewayRequest['outcome']

/** The words for each outcome. */
export const OUTCOMES: Readonly<Record<Outcome, Key>> = {
  open: 'gateway.outcome.open',
  answer: 'gateway.outcome.answer',
  calls: 'gateway.outcome.calls',
  cut_off: 'gateway.outcome.cut_off',
  error: 'gateway.outcome.error',
  aborted: 'gateway.outcome.aborted',
}

const KINDS: Readonly<Record<Outcome, DotTone | undefined>> = {
  open: 'call',
  answer: 'ok',
  calls: 'ok',
  cut_off: 'ask',
  error: 'no',
  aborted: undefined,
}

/** The outcome of a request: a dot, and text for screen readers. */
export function OutcomeMark({ outcome }: { readonly outcome: Outcome }): ReactNode {
  const { t } = useWords()
  return (
    <span className="grid justify-items-center" title={t(OUTCOMES[outcome])}>
      {outcome === 'open' ? (
        <Spinner aria-hidden="true" />
      ) : (
        <Dot tone={KINDS[outcome]} aria-hidden="true" />
      )}
      <span className="sr-only">{t(OUTCOMES[outcome])}</span>
    </span>
  )
}

/** The outcome of a request, as a chip. */
export function OutcomeChip({ outcome }: { readonly outcome: Outcome }): ReactNode {
  const { t } = useWords()
  return <Chip tone={KINDS[outcome]}>{t(OUTCOMES[outcome])}</Chip>
}
