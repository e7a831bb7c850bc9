import type { ReactNode } from 'react'
import { Loaded } from '../app/loaded.tsx'
import { ViewFrame } from '../app/view-frame.tsx'
import { Banner } from '../ui/banner.tsx'
import { Segments } from '../ui/segments.tsx'
import { VisibleText } from '../ui/visible-text.tsx'
import { useWords } from '../words/words.ts'
import '../styles/statistics.css'
import { CallsByDay } from './calls-by-day.tsx'
import type { Statistics } from './figures.ts'
import { FilterBar } from './filter-bar.tsx'
import { Headline } from './headline.tsx'
import { NothingCounted } from './nothing-counted.tsx'
import { ReadByProtocol, TimeByModel, TokensByModel } from './reply-plots.tsx'
import { ToolTimes } from './tool-times.tsx'
import { type StatisticsState, useStatistics } from './use-statistics.ts'
import { WhyCallsFail } from './why-calls-fail.tsx'
import { WrongCalls } from './wrong-calls.tsx'

const DAYS = ['1', '7', '30', '0'] as const

/** What happened in the recorded runs, in figures and plots. */
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
      <div className="scroll" tabIndex={0} role="region" aria-label={t('view.statistics')}>
        <div className="stats" aria-busy={query.isPending || query.isPlaceholderData}>
          <FilterBar state={state} />
          {query.data ? (
            <Figures statistics={query.data} state={state} />
          ) : (
            <div className="span-12">
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
        <div className="span-12">
          <Banner icon="hand">
            {t('statistics.unreadable', { count: unreadable.length })}{' '}
            <span className="mono">
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
