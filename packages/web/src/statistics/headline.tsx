import type { ReactNode } from 'react'
import { useFormat } from '../chat/format.ts'
import { useWords } from '../words/words.ts'
import { type Statistics, totalsOf } from './figures.ts'

/** The five figures. */
export function Headline({
  statistics,
  isOneTool,
}: {
  readonly statistics: Statistics
  /** Only the calls of one tool are counted. */
  readonly isOneTool: boolean
}): ReactNode {
  const { t, number } = useWords()
  const { duration } = useFormat()
  const { runs, toolDuration } = statistics
  const { calls, malformed, repaired, repairs, failed, denied } = totalsOf(statistics)
  const percent = (part: number, of: number): string =>
    of === 0 ? '—' : number(part / of, { style: 'percent', maximumFractionDigits: 1 })
  const figures: readonly (readonly [name: string, figure: string, more: string])[] = [
    [t('statistics.calls'), number(calls), t('statistics.calls.runs', { count: runs })],
    isOneTool
      ? [t('statistics.understood'), '—', t('statistics.understood.byTool')]
      : [
          t('statistics.understood'),
          percent(calls, calls + malformed),
          t('statistics.understood.not', { count: malformed, all: number(calls + malformed) }),
        ],
    [
      t('statistics.repaired'),
      percent(repaired, calls),
      t('statistics.repaired.calls', { count: repaired, repairs }),
    ],
    [
      t('statistics.failed'),
      percent(failed, calls),
      t('statistics.failed.denied', { percent: percent(denied, calls) }),
    ],
    toolDuration.count === 0
      ? [t('statistics.half'), '—', t('statistics.half.none')]
      : [
          t('statistics.half'),
          duration(toolDuration.median),
          t('statistics.half.p95', { time: duration(toolDuration.p95) }),
        ],
  ]
  return (
    <section className="kpis" aria-label={t('statistics.figures')}>
      {figures.map(([name, figure, more]) => (
        <div key={name}>
          <small>{name}</small>
          <b>{figure}</b>
          <small>{more}</small>
        </div>
      ))}
    </section>
  )
}
