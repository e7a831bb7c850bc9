// Folder: Statistics of runs.
import { type ReactNode, lazy, Suspense, useMemo } from 'react'
import { Loaded } from '../app/loaded.tsx'
import { ViewFrame } from '../app/view-frame.tsx'
import { Banner } from '../ui/banner.tsx'
import { Segments } from '../ui/segments.tsx'
import { VisibleText } from '../ui/visible-text.tsx'
import { useWords } from '../words/words.ts'
import { type Statistics, daysOf, sum, totalsOf } from './figures.ts'
import { FilterBar, ClearButton, type StatisticsState, useStatistics } from './filter-bar.tsx'
import { ReadByProtocol, TimeByModel, TokensByModel } from './reply-plots.tsx'
import { ToolTimes, WhyCallsFail, WrongCalls } from './call-figures.tsx'
import { Plot } from './plot.tsx'
import { useFormat } from '../chat/format.ts'
import { Link } from '@tanstack/react-router'
import { Icon } from '../ui/icon.tsx'

// The library throws on load if the browser's locale is invalid, such as en-US@posix.
const DayPlot = lazy(() =>
  import('./day-plot.tsx').catch(() => ({
    default: NoPlot as typeof import('./day-plot.tsx').default,
  })),
)

const DAYS = ['1', '7', '30', '0'] as const

/** The recorded runs in figures and plots. */
export function StatisticsView(): ReactNode {
  const { t } = useWords()
  const state = useStatistics()
  const { query, filter } = state
  return (
    <ViewFrame
      title="view.statistics"
      actions={
        <Segments
          label={t('statistics.days')}
          value={String(filter.days)}
          onChange={(days) => state.setDays(Number(days))}
          options={DAYS.map((days) => ({ value: days, label: t(`statistics.days.${days}`) }))}
        />
      }
    >
      <div
        className="min-h-0 overflow-auto overscroll-contain"
        tabIndex={0}
        role="region"
        aria-label={t('view.statistics')}
      >
        <div
          className="grid max-w-[1720px] grid-cols-12 content-start gap-3 p-4 phone:p-3 [&[aria-busy=true]>:not([role=group])]:opacity-60"
          aria-busy={query.isPending || query.isPlaceholderData}
        >
          <FilterBar state={state} />
          {query.data ? (
            <Figures statistics={query.data} state={state} />
          ) : (
            <div className="col-span-full">
              <Loaded query={query}>{() => null}</Loaded>
            </div>
          )}
        </div>
      </div>
    </ViewFrame>
  )
}

function Figures({
  statistics,
  state,
}: {
  readonly statistics: Statistics
  readonly state: StatisticsState
}): ReactNode {
  const { t } = useWords()
  const { unreadable, runs } = statistics
  return (
    <>
      {unreadable.length > 0 && (
        <div className="col-span-full">
          <Banner icon="hand">
            {t('statistics.unreadable', { count: unreadable.length })}{' '}
            <span className="font-mono">
              <VisibleText text={unreadable.slice(0, MAX_IDS).join(', ')} />
            </span>
            {unreadable.length > MAX_IDS && ' …'}
          </Banner>
        </div>
      )}
      {runs === 0 ? (
        <NothingCounted state={state} />
      ) : (
        <>
          <Headline statistics={statistics} isOneTool={state.filter.tool !== undefined} />
          <CallsByDay statistics={statistics} />
          <WhyCallsFail statistics={statistics} />
          <ToolTimes statistics={statistics} />
          <WrongCalls statistics={statistics} />
          <ReadByProtocol statistics={statistics} />
          <TimeByModel statistics={statistics} />
          <TokensByModel statistics={statistics} />
        </>
      )}
    </>
  )
}

const MAX_IDS = 5

function NoPlot(): ReactNode {
  const { t } = useWords()
  return <p className="text-ink-2">{t('statistics.byDay.noPlot')}</p>
}

/** The calls of each day. */
function CallsByDay({ statistics }: { readonly statistics: Statistics }): ReactNode {
  const { t, number, date } = useWords()
  const days = useMemo(() => daysOf(statistics, Date.now()), [statistics])
  const day = (time: number): string => date(time, { dateStyle: 'medium', timeZone: 'UTC' })
  const names = [t('statistics.done'), t('statistics.failedCalls'), t('statistics.denied')]
  const busy = days.filter(({ done, failed, denied }) => done + failed + denied > 0)
  return (
    <Plot
      title={t('statistics.byDay')}
      span={8}
      legend={['bg-solid-call', 'bg-solid-no', 'bg-strip-mark'].map(
        (fill, at) => [fill, names[at]!] as const,
      )}
      table={{
        columns: [t('statistics.byDay.day'), ...names],
        rows: busy
          .toReversed()
          .map(({ time, done, failed, denied }) => [
            day(time),
            number(done),
            number(failed),
            number(denied),
          ]),
      }}
    >
      <Suspense fallback={<div className="h-[214px]" />}>
        <DayPlot
          days={days}
          label={t('statistics.byDay.said', {
            from: day(days[0]!.time),
            to: day(days.at(-1)!.time),
            done: number(sum(days, ({ done }) => done)),
            failed: number(sum(days, ({ failed }) => failed)),
            denied: number(sum(days, ({ denied }) => denied)),
          })}
        />
      </Suspense>
    </Plot>
  )
}

/** The five main figures. */
function Headline({
  statistics,
  isOneTool,
}: {
  readonly statistics: Statistics
  /** True if the figures cover only one tool. */
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
    <section
      className="col-span-full grid grid-cols-[repeat(5,1fr)] rounded-lg border border-line bg-panel phone:grid-cols-[1fr_1fr]"
      aria-label={t('statistics.figures')}
    >
      {figures.map(([name, figure, more]) => (
        <div
          key={name}
          className="grid content-start gap-px border-line px-3.5 py-[11px] not-first:border-l phone:border-t phone:not-first:border-l-0 phone:last:odd:col-span-full phone:even:border-l phone:nth-[-n+2]:border-t-0"
        >
          <small className="text-12 text-ink-3">{name}</small>
          <b className="text-22 leading-[1.25] font-560 tracking-[-0.02em] tabular-nums">
            {figure}
          </b>
          <small className="text-12 text-ink-3">{more}</small>
        </div>
      ))}
    </section>
  )
}

/** Shown if there is no data, with suggestions. */
function NothingCounted({ state }: { readonly state: StatisticsState }): ReactNode {
  const { t } = useWords()
  const { days, isHere } = state.filter
  return (
    <div className="empty col-span-full px-4 py-[12vh] [&_.button_svg]:size-3.5" role="status">
      <Icon name="stats" className="size-[22px] text-ink-3" />
      <b>{t(state.isNarrow ? 'statistics.empty.filtered' : 'statistics.empty')}</b>
      {state.isNarrow ? (
        <ClearButton state={state} />
      ) : (
        <>
          <p className="text-ink-2">{t('statistics.empty.how')}</p>
          <p className="flex gap-2">
            <Link
              to="/chat"
              search={({ folder }) => (folder === undefined ? {} : { folder })}
              className="button button-primary"
            >
              {t('statistics.empty.chat')}
            </Link>
            <Link
              to="/sandbox"
              search={({ folder }) => (folder === undefined ? {} : { folder })}
              className="button"
            >
              {t('statistics.empty.sandbox')}
            </Link>
            {(days > 0 || isHere) && (
              <Link to="/statistics" search={{ days: 0 }} className="button button-ghost">
                {t('statistics.empty.all')}
              </Link>
            )}
          </p>
        </>
      )}
    </div>
  )
}
