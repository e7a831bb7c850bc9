import type { ReactNode } from 'react'
import { type Key, useWords } from '../words/words.ts'
import type { GatewayRequest } from './fold-requests.ts'

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

const KINDS: Readonly<Record<Outcome, string>> = {
  open: 'call',
  answer: 'ok',
  calls: 'ok',
  cut_off: 'ask',
  error: 'no',
  aborted: '',
}

/** The outcome of a request: a dot, and words for people who can't see it. */
export function OutcomeMark({ outcome }: { readonly outcome: Outcome }): ReactNode {
  const { t } = useWords()
  return (
    <span title={t(OUTCOMES[outcome])}>
      {outcome === 'open' ? (
        <i className="spin" aria-hidden="true" />
      ) : (
        <i className={`dot ${KINDS[outcome]}`} aria-hidden="true" />
      )}
      <span className="sr">{t(OUTCOMES[outcome])}</span>
    </span>
  )
}

/** The outcome of a request, as a chip. */
export function OutcomeChip({ outcome }: { readonly outcome: Outcome }): ReactNode {
  const { t } = useWords()
  return <span className={`chip ${KINDS[outcome]}`}>{t(OUTCOMES[outcome])}</span>
}
