import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useClient } from '@toolglot/react'
import { memo, type ReactNode } from 'react'
import type { RunsSearch } from '../../app/router.tsx'
import { type RunSummary, runTitle } from '../../app/run-title.ts'
import { useFormat } from '../../chat/format.ts'
import { shortName } from '../../compose/model-names.ts'
import { Strip } from '../../ui/strip.tsx'
import { VisibleText } from '../../ui/visible-text.tsx'
import { useWords } from '../../words/words.ts'
import { ReasonChip, reasonOf } from './reason-chip.tsx'

const DAY = 86_400_000

/** A run in the list. */
export const RunLink = memo(function RunLink({
  summary,
  search,
  isShown,
}: {
  readonly summary: RunSummary
  readonly search: RunsSearch
  readonly isShown: boolean
}): ReactNode {
  const { t, date } = useWords()
  const { duration } = useFormat()
  const when = useWhen()
  const { run, model, started, last, imported } = summary
  const title = runTitle(summary, t)
  return (
    <Link
      to="/runs/$run"
      params={{ run }}
      search={search}
      className={isShown ? 'on' : ''}
      aria-current={isShown ? 'true' : undefined}
      data-run={run}
    >
      <span className="l1">
        <bdi className="cut title">
          <VisibleText text={title} />
        </bdi>
        <time
          className="end dim-2"
          title={date(last, { dateStyle: 'medium', timeStyle: 'short' })}
          dateTime={new Date(last).toISOString()}
        >
          {when(last)}
        </time>
      </span>
      <span className="l2">
        <ReasonChip reason={reasonOf(summary)} />
        {imported && <span className="chip line">{t('runs.imported')}</span>}
        <span className="cut">
          {model !== undefined && <VisibleText text={shortName(model)} />}
        </span>
        <span className="end num">{duration(last - started)}</span>
      </span>
      <RunStrip summary={summary} />
    </Link>
  )
})

/** What the replies of a run were read as. It is only asked for where it is seen. */
function RunStrip({ summary: { run, last, state } }: { readonly summary: RunSummary }): ReactNode {
  const client = useClient()
  const { data } = useQuery({
    // It changes with the run.
    queryKey: ['GET /api/runs/:run/outline', run, last],
    queryFn: ({ signal }) =>
      client.request('GET /api/runs/:run/outline', { parameters: { run }, signal }),
    enabled: state !== 'corrupt',
    staleTime: Infinity,
    retry: false,
    placeholderData: keepPreviousData,
  })
  return <Strip pieces={(data?.strip ?? []).map(({ kind, length }) => [kind, length])} />
}

/** Says when something was in as few words as possible: the time of today, the day of this week, or the date. */
function useWhen(): (time: number) => string {
  const { date } = useWords()
  return (time) => {
    const now = new Date()
    const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime()
    if (time >= midnight) return date(time, { hour: '2-digit', minute: '2-digit' })
    if (time >= midnight - 6 * DAY) return date(time, { weekday: 'short' })
    const isThisYear = new Date(time).getFullYear() === now.getFullYear()
    return date(time, { day: 'numeric', month: 'short', year: !isThisYear ? 'numeric' : undefined })
  }
}
