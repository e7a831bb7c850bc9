import type { ReactNode } from 'react'
import { useFormat } from '../chat/format.ts'
import { useWords } from '../words/words.ts'
import type { GatewayRequests } from './fold-requests.ts'

/** What the gateway did today. */
export function Today({ today }: { readonly today: GatewayRequests['today'] }): ReactNode {
  const { t, number, date } = useWords()
  const { tokens } = useFormat()
  const { requests, calls, repairs, errors, inputTokens, outputTokens, since } = today
  const isWholeDay = new Date(since).getHours() === 0 && new Date(since).getMinutes() === 0
  const label = isWholeDay
    ? t('gateway.today')
    : t('gateway.today.since', { time: date(since, { hour: '2-digit', minute: '2-digit' }) })
  const figures: readonly (readonly [string, string])[] = [
    [number(requests), t('gateway.today.requests', { count: requests })],
    [number(calls), t('gateway.today.calls', { count: calls })],
    [number(repairs), t('gateway.today.repairs', { count: repairs })],
    [number(errors), t('gateway.today.errors', { count: errors })],
    [tokens(inputTokens + outputTokens), t('gateway.today.tokens')],
  ]
  return (
    <section className="gw-today" aria-label={label}>
      <span className="label">{label}</span>
      {figures.map(([figure, name]) => (
        <span key={name}>
          <b className="num">{figure}</b> <span className="dim-2">{name}</span>
        </span>
      ))}
    </section>
  )
}
