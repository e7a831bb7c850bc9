import type { ReactNode } from 'react'
import { useWords } from '../words/words.ts'
import { AskCard } from './ask-card.tsx'
import { partOf } from './pending-part.ts'
import { useWaitingExecutions } from './shown-here.ts'

/** Calls that other programs sent over HTTP and that wait for a person: they belong to no chat, so they are answered here. */
export function Executions(): ReactNode {
  const { t } = useWords()
  const requests = useWaitingExecutions()
  if (requests.length === 0) return null
  return (
    <section className="executions" aria-label={t('approvals.executions')}>
      <h2>{t('approvals.executions')}</h2>
      <p className="dim">{t('approvals.executions.about')}</p>
      {requests.slice(0, MAX_SHOWN).map((request, at) => (
        <AskCard
          key={`${request.run} ${request.key}`}
          run={request.run}
          part={partOf(request)}
          position={at + 1}
          count={requests.length}
        />
      ))}
    </section>
  )
}

/** Whoever has answered these sees the next ones. */
const MAX_SHOWN = 10
