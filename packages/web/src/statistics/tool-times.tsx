import type { ReactNode } from 'react'
import { useFormat } from '../chat/format.ts'
import { useWords } from '../words/words.ts'
import { logScale, most, type Statistics } from './figures.ts'
import { Plot } from './plot.tsx'
import { RunsLink } from './runs-link.tsx'

const MAX_TOOLS = 8

/** How long tools take: half of the calls, and 95 of 100, on a scale of powers of ten. */
export function ToolTimes({
  statistics: { tools },
}: {
  readonly statistics: Statistics
}): ReactNode {
  const { t, number } = useWords()
  const { duration } = useFormat()
  const all = most(tools, ({ duration: { count } }) => count, tools.length)
  const shown = all.slice(0, MAX_TOOLS)
  const { at, ticks } = logScale(shown.flatMap(({ duration: { median, p95 } }) => [median, p95]))
  const left = (milliseconds: number): { readonly left: string } => ({
    left: `${at(milliseconds) * 100}%`,
  })
  return (
    <Plot
      title={t('statistics.long')}
      unit={t('statistics.long.legend')}
      span={5}
      table={{
        columns: [
          t('statistics.filter.tool'),
          t('statistics.long.half'),
          t('statistics.long.p95'),
          t('statistics.long.count'),
        ],
        rows: all.map(({ name, duration: { median, p95, count } }) => [
          name,
          duration(median),
          duration(p95),
          number(count),
        ]),
      }}
    >
      <div className="times">
        <ul>
          {shown.map(({ name, duration: { median, p95 } }) => (
            <li key={name}>
              <RunsLink of="tool" name={name} />
              <span className="line" title={`${duration(median)} – ${duration(p95)}`}>
                <i className="to" style={{ ...left(median), right: `${(1 - at(p95)) * 100}%` }} />
                <i className="half" style={left(median)} />
                <i className="most" style={left(p95)} />
                <span className="sr">
                  {t('statistics.long.half')} {duration(median)}, {t('statistics.long.p95')}{' '}
                  {duration(p95)}
                </span>
              </span>
            </li>
          ))}
        </ul>
        <div className="ticks" aria-hidden="true">
          {ticks.map((tick) => (
            <span key={tick} style={left(tick)}>
              {shortTime(tick, duration)}
            </span>
          ))}
        </div>
      </div>
    </Plot>
  )
}

/** A power of ten without digits that say nothing: 10 s, not 10.0 s. */
function shortTime(milliseconds: number, duration: (milliseconds: number) => string): string {
  return duration(milliseconds).replace(/[.,]0(?=\D)/, '')
}
