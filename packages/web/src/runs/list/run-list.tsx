import { useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useImperativeHandle, useRef, type ReactNode, memo } from 'react'
import { errorText } from '../../app/use-api.ts'
import { RetryBanner } from '../../app/loaded.tsx'
import type { RunsSearch } from '../../app/router.tsx'
import { useWords } from '../../words/words.ts'
import { useListSearch } from '../selection.ts'
import type { RunPages } from './use-run-pages.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useClient } from '@toolglot/react'
import { type RunSummary, runTitle } from '../../app/use-runs.ts'
import { useFormat } from '../../chat/format.ts'
import { shortName } from '../../compose/choices.ts'
import { Strip } from '../../ui/strip.tsx'
import { VisibleText } from '../../ui/visible-text.tsx'
import { ReasonChip, reasonOf } from './reason-chip.tsx'
import { Chip } from '../../ui/chip.tsx'
import { Spinner } from '../../ui/spinner.tsx'

/** Actions of the list for other components. */
export interface RunListHandle {
  /** Moves the focus to the next or previous run. */
  move(by: 1 | -1): void
}

const ROW = 66
/** The distance from the end, in rows, at which the next page is requested. */
const NEAR = 10

/** The matching runs. Draws only visible rows. */
export function RunList({
  pages,
  search,
  shown,
  isFiltered,
  handle,
}: {
  readonly pages: RunPages
  readonly search: RunsSearch
  /** The id of the displayed run. */
  readonly shown: string | undefined
  readonly isFiltered: boolean
  readonly handle: RefObject<RunListHandle | null>
}): ReactNode {
  const { t, number } = useWords()
  const { runs, hasMore, isLoadingMore, loadMore, error, isPending } = pages
  const scroll = useRef<HTMLDivElement>(null)
  const wanted = useRef<string>(undefined)
  const virtualizer = useVirtualizer({
    count: runs.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW,
    getItemKey: (index) => runs[index]!.run,
    overscan: 8,
  })
  const drawn = virtualizer.getVirtualItems()
  const last = drawn.at(-1)?.index ?? -1
  const isNearEnd = last >= runs.length - NEAR
  useEffect(() => {
    if (hasMore && !isLoadingMore && isNearEnd && error === null) loadMore()
  })
  const place = runs.findIndex(({ run }) => run === shown)
  const isListed = place >= 0
  useEffect(() => {
    if (isListed) virtualizer.scrollToIndex(place, { align: 'auto' })
    // Scrolls only when a run is opened, not when others are added.
  }, [shown, isListed])
  useImperativeHandle(handle, () => ({
    move(by) {
      const focused = document.activeElement?.closest<HTMLElement>('[data-run]')?.dataset['run']
      const from = runs.findIndex(({ run }) => run === (wanted.current ?? focused ?? shown))
      const next = Math.min(runs.length - 1, Math.max(0, from < 0 ? 0 : from + by))
      wanted.current = runs[next]?.run
      virtualizer.scrollToIndex(next)
      focusWanted()
    },
  }))
  const focusWanted = (): void => {
    if (wanted.current === undefined) return
    const row = scroll.current?.querySelector<HTMLElement>(
      `[data-run="${CSS.escape(wanted.current)}"]`,
    )
    if (!row) return
    wanted.current = undefined
    row.focus({ preventScroll: true })
  }
  useEffect(focusWanted)
  // Links keep the search parameters, but not the selection in another run.
  const kept = useListSearch(search)

  if (isPending) return <ListSkeleton />
  if (error !== null && runs.length === 0) return <ListError error={error} retry={pages.retry} />
  if (runs.length === 0 && !hasMore)
    return (
      <div className="empty pane-content">
        <b>{t(isFiltered ? 'runs.none.found' : 'runs.none')}</b>
        <p className="text-ink-2">{t(isFiltered ? 'runs.none.found.about' : 'runs.none.about')}</p>
      </div>
    )
  return (
    <div className="min-h-0 flex-1 overflow-auto overscroll-contain" ref={scroll}>
      <ul
        className="relative"
        aria-label={t('runs.list')}
        style={{ height: virtualizer.getTotalSize() }}
      >
        {drawn.map(({ index, key, start }) => {
          const summary = runs[index]!
          return (
            <li
              key={key}
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${start}px)`, height: ROW }}
            >
              <RunLink summary={summary} search={kept} isShown={summary.run === shown} />
            </li>
          )
        })}
      </ul>
      {error !== null ? (
        <ListError error={error} retry={pages.retry} />
      ) : (
        hasMore && (
          <p className="flex items-center gap-2 px-3.5 py-3 text-ink-2" role="status">
            <Spinner />
            {isFiltered ? t('runs.searching', { count: number(runs.length) }) : t('shell.loading')}
          </p>
        )
      )}
    </div>
  )
}

/** Why the list is empty or incomplete, with a button that tries again. */
function ListError({
  error,
  retry,
}: {
  readonly error: Error
  readonly retry: () => void
}): ReactNode {
  return (
    <div className="pane-content">
      <RetryBanner retry={retry}>{errorText(error)}</RetryBanner>
    </div>
  )
}

function ListSkeleton(): ReactNode {
  const { t } = useWords()
  return (
    <div role="status" aria-label={t('shell.loading')} aria-busy="true">
      {Array.from({ length: 9 }, (_, at) => (
        <div
          key={at}
          className="grid h-[66px] content-center gap-[7px] border-b border-line px-3.5"
        >
          <div className={`skeleton ${at % 2 === 0 ? 'w-2/3' : 'w-1/2'}`} />
          <div className="skeleton w-1/3" />
          <div className="skeleton" />
        </div>
      ))}
    </div>
  )
}

const DAY = 86_400_000

/** A run in the list. */
const RunLink = memo(function RunLink({
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
      className={`grid h-full content-center gap-px border-b border-line px-3.5 transition-[background] focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-call ${isShown ? 'bg-sel shadow-selected' : 'hover:bg-hover'}`}
      aria-current={isShown ? 'true' : undefined}
      data-run={run}
    >
      <span className="flex min-w-0 items-center gap-[7px]">
        <bdi className="min-w-0 truncate font-540">
          <VisibleText text={title} />
        </bdi>
        <time
          className="ml-auto flex-none text-12 text-ink-3"
          title={date(last, { dateStyle: 'medium', timeStyle: 'short' })}
          dateTime={new Date(last).toISOString()}
        >
          {when(last)}
        </time>
      </span>
      <span className="flex min-w-0 items-center gap-[7px] text-12 text-ink-3">
        <ReasonChip reason={reasonOf(summary)} />
        {imported && <Chip outline>{t('runs.imported')}</Chip>}
        <span className="min-w-0 truncate">
          {model !== undefined && <VisibleText text={shortName(model)} />}
        </span>
        <span className="ml-auto flex-none tabular-nums">{duration(last - started)}</span>
      </span>
      <RunStrip summary={summary} />
    </Link>
  )
})

/** The reading strip of a run. Requested only while visible. */
function RunStrip({ summary: { run, last, state } }: { readonly summary: RunSummary }): ReactNode {
  const client = useClient()
  const { data } = useQuery({
    // Invalidated whenever the run changes.
    queryKey: ['GET /api/runs/:run/outline', run, last],
    queryFn: ({ signal }) =>
      client.request('GET /api/runs/:run/outline', { parameters: { run }, signal }),
    enabled: state !== 'corrupt',
    staleTime: Infinity,
    retry: false,
    placeholderData: keepPreviousData,
  })
  return (
    <Strip
      className="mt-[3px] h-[7px]"
      pieces={(data?.strip ?? []).map(({ kind, length }) => [kind, length])}
    />
  )
}

/**
 * Returns a function that formats a time briefly: the time if today, the weekday if this week,
 * otherwise the date.
 */
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
