import type { ReactNode } from 'react'
import { useFormat } from '../chat/format.ts'
import { useWords } from '../words/words.ts'
import { logScale, most, type Statistics, heatMapOf, addCounts, totalsOf } from './figures.ts'
import { Plot } from './plot.tsx'
import { RunsLink, Bars } from './bars.tsx'
import { VisibleText } from '../ui/visible-text.tsx'

const MAX_TOOLS = 8

/** Durations of tools: the median and the 95th percentile, on a logarithmic scale. */
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
      <div className="grid gap-1">
        <ul>
          {shown.map(({ name, duration: { median, p95 } }) => (
            <li
              key={name}
              className="grid h-[26px] grid-cols-[100px_minmax(0,1fr)] items-center gap-3.5"
            >
              <RunsLink of="tool" name={name} />
              <span
                className="relative mr-3.5 ml-1.5 h-full bg-[linear-gradient(var(--line),var(--line))] bg-[length:100%_1px] bg-center bg-no-repeat"
                title={`${duration(median)} – ${duration(p95)}`}
              >
                <i
                  className="absolute top-1/2 -mt-px h-0.5 bg-solid-call opacity-50"
                  style={{ ...left(median), right: `${(1 - at(p95)) * 100}%` }}
                />
                <i
                  className="absolute top-1/2 -mt-[4.5px] -ml-[4.5px] size-[9px] rounded-[50%] bg-solid-call"
                  style={left(median)}
                />
                <i
                  className="absolute top-1/2 -mt-[5.5px] -ml-px h-[11px] w-0.5 bg-solid-call"
                  style={left(p95)}
                />
                <span className="sr-only">
                  {t('statistics.long.half')} {duration(median)}, {t('statistics.long.p95')}{' '}
                  {duration(p95)}
                </span>
              </span>
            </li>
          ))}
        </ul>
        <div
          className="relative mr-3.5 ml-30 h-[18px] text-11 text-ink-3 tabular-nums"
          aria-hidden="true"
        >
          {ticks.map((tick) => (
            <span
              key={tick}
              className="absolute -translate-x-1/2 whitespace-nowrap"
              style={left(tick)}
            >
              {shortTime(tick, duration)}
            </span>
          ))}
        </div>
      </div>
    </Plot>
  )
}

/** A power of ten without needless digits: 10 s, not 10.0 s. */
function shortTime(milliseconds: number, duration: (milliseconds: number) => string): string {
  return duration(milliseconds).replace(/[.,]0(?=\D)/, '')
}

const FIRST = 'w-[118px] text-left phone:w-[92px]'
const MAX_COLUMNS = 6
const MAX_TABLE_COLUMNS = 10
const MAX_MODELS = 8

/**
 * Problems by model: how often each repair was needed per 100 calls, and how often a call was
 * malformed.
 */
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
        className="min-h-0 overflow-auto overscroll-contain"
        tabIndex={0}
        role="group"
        aria-label={t('statistics.wrong')}
      >
        <table className="-mx-0.5 min-w-full table-fixed border-separate border-spacing-0.5 text-11 tabular-nums phone:w-140">
          <thead>
            <tr>
              {head({ repairs, hasOther, rows }).map((name, at) => (
                <th
                  key={name}
                  scope="col"
                  className={`pb-[3px] align-bottom leading-[1.25] font-400 break-words text-ink-3 ${at === 0 ? FIRST : 'text-center'}`}
                  title={name}
                >
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
                <th scope="row" className={`font-400 [&_a]:block ${FIRST}`}>
                  <RunsLink of="model" name={name} />
                </th>
                {[...cells, malformed].map((value, at) => (
                  <td key={at}>
                    <span
                      className="grid h-[22px] place-items-center rounded-[3px]"
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

/** Why calls fail: error types, denials, and malformed calls. */
export function WhyCallsFail({ statistics }: { readonly statistics: Statistics }): ReactNode {
  const { t, number } = useWords()
  const { denied, malformed } = totalsOf(statistics)
  const reasons = [
    ...addCounts(statistics.tools.map(({ errors }) => errors)).map((each) => ({
      ...each,
      key: ` ${each.name}`,
      fill: 'bg-solid-no',
      isOurs: false,
    })),
    {
      key: 'denied',
      name: t('statistics.why.denied'),
      count: denied,
      fill: 'bg-strip-mark',
      isOurs: true,
    },
    {
      key: 'malformed',
      name: t('statistics.why.notUnderstood'),
      count: malformed,
      fill: 'bg-solid-no',
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
            <span
              className={`min-w-0 truncate rounded-sm text-[11.5px] ${isOurs ? '' : 'font-mono'}`}
            >
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
