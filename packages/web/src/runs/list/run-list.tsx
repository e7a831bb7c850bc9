import { useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useImperativeHandle, useRef } from 'react'
import type { ReactNode } from 'react'
import { errorText } from '../../app/error-text.ts'
import { RetryBanner } from '../../app/retry-banner.tsx'
import type { RunsSearch } from '../../app/router.tsx'
import { useWords } from '../../words/words.ts'
import { useListSearch } from '../selection.ts'
import { RunLink } from './run-link.tsx'
import type { RunPages } from './use-run-pages.ts'
import './list.css'

/** What can be done with the list from outside. */
export interface RunListHandle {
  /** Gives the focus to the next run, or to the one before. */
  move(by: 1 | -1): void
}

const ROW = 66
/** So near to the end, in rows, more is asked for. */
const NEAR = 10

/** The runs that were found. Only those in sight are drawn. */
export function RunList({
  pages,
  search,
  shown,
  isFiltered,
  handle,
}: {
  readonly pages: RunPages
  readonly search: RunsSearch
  /** The id of the run that is shown. */
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
    // It comes into sight when it is opened, and stays wherever it is when others come.
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
  // Where to go is said by the address, without what is shown of another run.
  const kept = useListSearch(search)

  if (isPending) return <ListSkeleton />
  if (error !== null && runs.length === 0) return <ListError error={error} retry={pages.retry} />
  if (runs.length === 0 && !hasMore)
    return (
      <div className="empty pad">
        <b>{t(isFiltered ? 'runs.none.found' : 'runs.none')}</b>
        <p className="dim">{t(isFiltered ? 'runs.none.found.about' : 'runs.none.about')}</p>
      </div>
    )
  return (
    <div className="scroll" ref={scroll}>
      <ul
        className="list"
        aria-label={t('runs.list')}
        style={{ height: virtualizer.getTotalSize() }}
      >
        {drawn.map(({ index, key, start }) => {
          const summary = runs[index]!
          return (
            <li key={key} style={{ transform: `translateY(${start}px)`, height: ROW }}>
              <RunLink summary={summary} search={kept} isShown={summary.run === shown} />
            </li>
          )
        })}
      </ul>
      {error !== null ? (
        <ListError error={error} retry={pages.retry} />
      ) : (
        hasMore && (
          <p className="more dim" role="status">
            <span className="spin" />
            {isFiltered ? t('runs.searching', { count: number(runs.length) }) : t('shell.loading')}
          </p>
        )
      )}
    </div>
  )
}

/** Why there is nothing, or nothing more, and a way to try again. */
function ListError({
  error,
  retry,
}: {
  readonly error: Error
  readonly retry: () => void
}): ReactNode {
  return (
    <div className="pad">
      <RetryBanner retry={retry}>{errorText(error)}</RetryBanner>
    </div>
  )
}

function ListSkeleton(): ReactNode {
  const { t } = useWords()
  return (
    <div role="status" aria-label={t('shell.loading')} aria-busy="true">
      {Array.from({ length: 9 }, (_, at) => (
        <div key={at} className="skelrow">
          <div className={`skel ${at % 2 === 0 ? 'w-2/3' : 'w-1/2'}`} />
          <div className="skel w-1/3" />
          <div className="skel" />
        </div>
      ))}
    </div>
  )
}
