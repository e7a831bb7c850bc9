import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import type { RunView } from '@toolglot/react/view'
import { type RefObject, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'
import { onFocusRequest } from '../../approvals/focus-next.ts'
import { Icon } from '../../ui/icon.tsx'
import { useWords } from '../../words/words.ts'
import { useChatActions } from '../chat-actions.ts'
import { estimateHeight, isUnfolded, rowGap } from '../rows/row-looks.ts'
import type { Row, Unfolded } from '../rows/rows.ts'
import { keptRows } from './kept-rows.ts'
import { SafeRow } from './safe-row.tsx'
import { useFollowEnd } from './use-follow-end.ts'
import { useShowWaiting } from './use-show-waiting.ts'

/** What can be done with a timeline from outside. */
export interface TimelineHandle {
  /** Moves to the next row, or to the one before. */
  move(by: 1 | -1): void
  goTo(key: string): void
  /** Scrolls to a row, and leaves the focus where it is. */
  show(key: string): void
  /** Stays here, although more is added at the end. */
  pause(): void
  goToEnd(): void
}

/** The conversation: only the rows in sight are drawn, and those that wait for the person. */
export function Timeline({
  view,
  isBusy,
  rows,
  unfolded,
  edited,
  handle,
}: {
  readonly view: RunView
  /** Whether more is about to be added. */
  readonly isBusy: boolean
  readonly rows: readonly Row[]
  readonly unfolded: Unfolded
  /** The key of the message that is edited. */
  readonly edited: string | undefined
  readonly handle: RefObject<TimelineHandle | null>
}): ReactNode {
  const { t } = useWords()
  const { unfold } = useChatActions()
  const scroll = useRef<HTMLDivElement>(null)
  const [current, setCurrent] = useState<string>()
  const focusNext = useRef(false)
  const { isAtEnd, isFollowing, onScroll, pause, goToEnd } = useFollowEnd(scroll)
  const kept = useMemo(() => keptRows(rows, [current, edited]), [rows, current, edited])
  // The virtualizer changes in place; this component is drawn again whenever it does.
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: (index) => estimateHeight(rows[index]!),
    getItemKey: (index) => rows[index]!.key,
    rangeExtractor: (range) => withKept(defaultRangeExtractor(range), kept),
    overscan: 6,
    scrollPaddingStart: 12,
    paddingStart: 20,
    paddingEnd: 28,
  })
  virtualizer.shouldAdjustScrollPositionOnItemSizeChange = (item, _, { scrollOffset }) =>
    !isFollowing() && item.start < (scrollOffset ?? 0)

  const positions = useMemo(
    () => new Map(view.waiting.map(({ id }, at) => [id, at + 1])),
    [view.waiting],
  )

  useImperativeHandle(handle, () => {
    const goToIndex = (index: number): void => {
      const row = rows[index]
      if (!row) return
      focusNext.current = true
      setCurrent(row.key)
      virtualizer.scrollToIndex(index, { align: 'auto' })
    }
    return {
      move(by) {
        const at = rows.findIndex(({ key }) => key === current)
        const start = by > 0 ? -1 : rows.length
        goToIndex(Math.min(rows.length - 1, Math.max(0, (at < 0 ? start : at) + by)))
      },
      goTo: (key) => goToIndex(rows.findIndex((row) => row.key === key)),
      show(key) {
        const index = rows.findIndex((row) => row.key === key)
        if (index >= 0) virtualizer.scrollToIndex(index, { align: 'auto' })
      },
      pause,
      goToEnd,
    }
  }, [rows, current, virtualizer, pause, goToEnd])
  // The card takes the focus itself as soon as it is drawn.
  useEffect(
    () =>
      onFocusRequest((call) => {
        const index = rows.findIndex(({ key }) => key === call)
        if (index < 0) return
        pause()
        virtualizer.scrollToIndex(index, { align: 'start' })
      }),
    [rows, virtualizer, pause],
  )
  useEffect(() => {
    if (!focusNext.current || current === undefined) return
    focusNext.current = false
    const row = scroll.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(current)}"]`)
    const card = row?.querySelector<HTMLElement>('.askcard[tabindex]')
    ;(card ?? row)?.focus({ preventScroll: true })
  })

  useShowWaiting({
    rows,
    waiting: view.waiting[0]?.id,
    isFollowing,
    show(index) {
      pause()
      virtualizer.scrollToIndex(index, { align: 'start' })
    },
    goToEnd,
  })

  const onKeyDown = (event: KeyboardEvent, row: Row): void => {
    if (event.target !== event.currentTarget || (event.key !== 'Enter' && event.key !== ' ')) return
    const now = isUnfolded(row, unfolded.get(row.key))
    if (now === undefined) return
    event.preventDefault()
    unfold(row.key, !now)
  }

  return (
    <div className="talkscroll">
      <div
        ref={scroll}
        className="scroll"
        tabIndex={0}
        role="log"
        aria-label={t('chat.conversation')}
        // While somebody reads an earlier part, rows that are drawn as they scroll are not announced.
        aria-live={isAtEnd ? 'polite' : 'off'}
        aria-busy={isBusy}
        onScroll={onScroll}
      >
        <div className="rows" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, key, start }) => {
            const row = rows[index]!
            return (
              <div
                key={key}
                ref={virtualizer.measureElement}
                data-index={index}
                data-row={row.key}
                className={`row ${rowGap(row)}`}
                style={{ transform: `translateY(${start}px)` }}
                tabIndex={-1}
                onFocus={() => setCurrent(row.key)}
                onKeyDown={(event) => onKeyDown(event, row)}
              >
                <SafeRow
                  run={view.run}
                  row={row}
                  isUnfolded={unfolded.get(row.key)}
                  isEdited={edited === row.key}
                  position={row.type === 'ask' ? (positions.get(row.part.id) ?? 1) : 0}
                  count={row.type === 'ask' ? view.waiting.length : 0}
                />
              </div>
            )
          })}
        </div>
      </div>
      {/* It must not lie over the buttons of a call that waits. */}
      {!isAtEnd && view.waiting.length === 0 && (
        <button type="button" className="btn toend" onClick={goToEnd}>
          <Icon name="down" />
          {t('chat.toEnd')}
        </button>
      )}
    </div>
  )
}

function withKept(indexes: number[], kept: readonly number[]): number[] {
  if (kept.length === 0) return indexes
  return [...new Set([...indexes, ...kept])].sort((one, other) => one - other)
}
