import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import type { RunView } from '@toolglot/react/view'
import {
  type RefObject,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  memo,
} from 'react'
import { onFocusRequest } from '../../approvals/focus-next.ts'
import { Icon } from '../../ui/icon.tsx'
import { useWords } from '../../words/words.ts'
import { useChatActions } from '../chat-actions.ts'
import { estimateHeight, isUnfolded, rowGap } from '../rows/row-looks.ts'
import type { Row, Unfolded } from '../rows/rows.ts'
import { useFollowEnd } from './use-follow-end.ts'
import { CatchBoundary, type ErrorComponentProps } from '@tanstack/react-router'
import { VisibleText } from '../../ui/visible-text.tsx'
import { type RowProps, RowView } from './row-view.tsx'
import { Button } from '../../ui/button.tsx'
import { Line } from '../messages/notice.tsx'

/** A row of the conversation. An error in it does not affect other rows. */
const SafeRow = memo(function SafeRow(props: RowProps): ReactNode {
  const resetKey = useChangeCount(props.row)
  return (
    <CatchBoundary getResetKey={() => resetKey} errorComponent={Failed}>
      <RowView {...props} />
    </CatchBoundary>
  )
})

/** The maximum number of approval cards kept while out of view. */
const MAX_CARDS = 12

/** Actions of a timeline for other components. */
export interface TimelineHandle {
  /** Moves the focus to the next or previous row. */
  move(by: 1 | -1): void
  goTo(key: string): void
  /** Scrolls to a row without moving the focus. */
  show(key: string): void
  /** Stops following the end. */
  pause(): void
  goToEnd(): void
}

/** The conversation. Draws only visible rows, and those that wait for the user. */
export function Timeline({
  view,
  isBusy,
  rows,
  unfolded,
  edited,
  handle,
}: {
  readonly view: RunView
  /** True if more rows are expected. */
  readonly isBusy: boolean
  readonly rows: readonly Row[]
  readonly unfolded: Unfolded
  /** The key of the message being edited. */
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
  // The virtualizer is mutable; this component is redrawn whenever it changes.
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
  // The card takes the focus as soon as it is drawn.
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
    const card = row?.querySelector<HTMLElement>('[data-call][tabindex]')
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
    <div className="relative grid min-h-0 flex-1">
      <div
        ref={scroll}
        className="min-h-0 overflow-auto overscroll-contain"
        tabIndex={0}
        role="log"
        aria-label={t('chat.conversation')}
        // While the user reads an earlier part, rows drawn during scrolling are not announced.
        aria-live={isAtEnd ? 'polite' : 'off'}
        aria-busy={isBusy}
        onScroll={onScroll}
      >
        <div
          className="relative mx-auto max-w-[776px]"
          style={{ height: virtualizer.getTotalSize() }}
        >
          {virtualizer.getVirtualItems().map(({ index, key, start }) => {
            const row = rows[index]!
            return (
              <div
                key={key}
                ref={virtualizer.measureElement}
                data-index={index}
                data-row={row.key}
                className={`absolute top-0 left-0 grid w-full grid-cols-1 px-6 focus-visible:absolute focus-visible:shadow-none focus-visible:*:shadow-focus phone:px-3.5 ${GAPS[rowGap(row)]}`}
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
      {/* Must not cover the buttons of a waiting call. */}
      {!isAtEnd && view.waiting.length === 0 && (
        <Button
          className="absolute bottom-2.5 left-1/2 z-2 -translate-x-1/2 rounded-full shadow-card"
          onClick={goToEnd}
        >
          <Icon name="down" />
          {t('chat.toEnd')}
        </Button>
      )}
    </div>
  )
}

const GAPS = { joined: 'pb-0', close: 'pb-2', '': 'pb-3' } as const

function withKept(indexes: number[], kept: readonly number[]): number[] {
  if (kept.length === 0) return indexes
  return [...new Set([...indexes, ...kept])].sort((one, other) => one - other)
}

/**
 * The rows that are drawn even out of view: waiting calls (to keep typed text and to be reachable)
 * and those with the given keys.
 */
function keptRows(rows: readonly Row[], keys: readonly (string | undefined)[]): readonly number[] {
  const kept: number[] = []
  let cards = 0
  rows.forEach(({ type, key }, index) => {
    if ((type === 'ask' && cards++ < MAX_CARDS) || keys.includes(key)) kept.push(index)
  })
  return kept
}

/** The number of times a value has changed. */
function useChangeCount(value: unknown): number {
  const [known, setKnown] = useState({ value, count: 0 })
  if (known.value === value) return known.count
  setKnown({ value, count: known.count + 1 })
  return known.count + 1
}

function Failed({ error }: ErrorComponentProps): ReactNode {
  const { t } = useWords()
  return (
    <Line icon="hand" kind="ask" role="alert">
      {t('chat.row.failed')} <VisibleText text={String(error).slice(0, 300)} />
    </Line>
  )
}

/**
 * Shows the first waiting call from its start instead of the end of the conversation, unless the
 * user reads elsewhere. When no call waits any more, follows the end again.
 */
function useShowWaiting({
  rows,
  waiting,
  isFollowing,
  show,
  goToEnd,
}: {
  readonly rows: readonly Row[]
  /** The id of the first waiting call. */
  readonly waiting: string | undefined
  readonly isFollowing: () => boolean
  /** Scrolls to a row. */
  readonly show: (index: number) => void
  readonly goToEnd: () => void
}): void {
  const shown = useRef<string>(undefined)
  useEffect(() => {
    if (waiting === shown.current) return
    if (waiting === undefined) {
      shown.current = undefined
      goToEnd()
      return
    }
    if (shown.current === undefined && !isFollowing()) return
    const index = rows.findIndex(({ type, key }) => type === 'ask' && key === waiting)
    // The row does not exist yet.
    if (index < 0) return
    shown.current = waiting
    show(index)
  })
}
