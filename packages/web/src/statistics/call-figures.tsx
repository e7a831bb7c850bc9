import type { ReactNode } from 'react'
import { useFormat } from '../chat/format.ts'
import { useWords } from '../words/words.ts'
import { logScale, most, type Statistics, heatMapOf, addCounts, totalsOf } from './figures.ts'
import { Plot } from './plot.tsx'
import { RunsLink, Bars } from './bars.tsx'
import { VisibleText } from '../ui/visible-text.tsx'

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
                <span className="sr-only">
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

const MAX_COLUMNS = 6
const MAX_TABLE_COLUMNS = 10
const MAX_MODELS = 8

/** What models get wrong: how often each repair was needed in 100 calls, and how often nothing helped. */
export function WrongCalls({
  statistics: { models },
}: {
  readonly statistics: Statistics
}): ReactNode {
  const { t, number } = useWords()
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 }
  const { repairs, hasOther, rows } = heatMapOf(models, MAX_COLUMNS, MAX_MODELS)
  const whole = heatMapOf(models, MAX_TABLE_COLUMNS, models.length)
  const head = (all: typeof whole): string[] => [
    t('statistics.filter.model'),
    ...all.repairs,
    ...(all.hasOther ? [t('statistics.wrong.other')] : []),
    t('statistics.wrong.notUnderstood'),
  ]
  const cell = (value: number): string => (value === 0 ? '·' : number(value, digits))
  return (
    <Plot
      title={t('statistics.wrong')}
      unit={t('statistics.wrong.unit')}
      span={7}
      table={{
        columns: head(whole),
        rows: whole.rows.map(({ name, cells, malformed }) => [
          name,
          ...[...cells, malformed].map((value) => number(value, digits)),
        ]),
      }}
    >
      <div
        className="heat min-h-0 overflow-auto overscroll-contain"
        tabIndex={0}
        role="group"
        aria-label={t('statistics.wrong')}
      >
        <table className="tabular-nums">
          <thead>
            <tr>
              {head({ repairs, hasOther, rows }).map((name, at) => (
                <th key={name} scope="col" title={name}>
                  <span className={at === 0 ? 'sr-only' : ''}>
                    <VisibleText text={name.replaceAll('-', ' ')} />
                  </span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, cells, malformed }) => (
              <tr key={name}>
                <th scope="row">
                  <RunsLink of="model" name={name} />
                </th>
                {[...cells, malformed].map((value, at) => (
                  <td key={at}>
                    <span
                      style={{
                        background: `color-mix(in srgb, var(${at === cells.length ? '--solid-no' : '--solid-wait'}) ${Math.min(45, value * 7).toFixed(0)}%, var(--hover))`,
                      }}
                    >
                      {cell(value)}
                    </span>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Plot>
  )
}

const MAX_BARS = 8

/** Why calls fail: the types of errors, what was denied, and what was not understood. */
export function WhyCallsFail({ statistics }: { readonly statistics: Statistics }): ReactNode {
  const { t, number } = useWords()
  const { denied, malformed } = totalsOf(statistics)
  const reasons = [
    ...addCounts(statistics.tools.map(({ errors }) => errors)).map((each) => ({
      ...each,
      key: ` ${each.name}`,
      fill: 'fill-no',
      isOurs: false,
    })),
    {
      key: 'denied',
      name: t('statistics.why.denied'),
      count: denied,
      fill: 'fill-mark',
      isOurs: true,
    },
    {
      key: 'malformed',
      name: t('statistics.why.notUnderstood'),
      count: malformed,
      fill: 'fill-no',
      isOurs: true,
    },
  ]
    .filter(({ count }) => count > 0)
    .sort((one, other) => other.count - one.count)
  return (
    <Plot
      title={t('statistics.why')}
      span={4}
      table={{
        columns: [t('statistics.why.reason'), t('statistics.why.count')],
        rows: reasons.map(({ name, count }) => [name, number(count)]),
      }}
      none={t('statistics.why.nothing')}
    >
      <Bars
        max={reasons[0]?.count ?? 1}
        bars={reasons.slice(0, MAX_BARS).map(({ key, name, count, fill, isOurs }) => ({
          key,
          name: (
            <span className={`min-w-0 truncate plot-name ${isOurs ? '' : 'font-mono'}`}>
              <VisibleText text={name} />
            </span>
          ),
          parts: [[fill, count]],
          end: number(count),
        }))}
      />
    </Plot>
  )
}
