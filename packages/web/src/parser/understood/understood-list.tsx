import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useRef, useState, type ReactNode, useMemo } from 'react'
import { useWords } from '../../words/words.ts'
import type { Shown } from '../replay/shown-at.ts'
import type { Item } from '../worker/item.ts'
import type { Reading } from '../worker/messages.ts'
import { type ParseClient, OutdatedError } from '../worker/parse-client.ts'
import { OpenCall, UnderstoodItem } from './understood-item.tsx'

/** The time in which the layout may still change after a text is opened, in milliseconds. */
const SETTLING = 3000

const PAGE = 40

/** A piece to scroll to. */
export interface Revealed {
  readonly piece: number
  readonly isProblem?: boolean
  /** True if the list itself may also be out of view. */
  readonly isFar?: boolean
}

/** The pieces of the reply. Draws only the visible ones. */
export function UnderstoodList({
  client,
  reading,
  shown,
  hot,
  onHover,
  onPick,
  reveal,
  children,
}: {
  readonly client: ParseClient
  readonly reading: Reading
  readonly shown: Shown
  readonly hot: number | undefined
  readonly onHover: (piece: number | undefined) => void
  readonly onPick: (item: Pick<Item, 'at' | 'from'>) => void
  /** The piece to scroll to whenever this changes. */
  readonly reveal: Revealed | undefined
  /** The content above the list. */
  readonly children: ReactNode
}): ReactNode {
  const { t } = useWords()
  const scroller = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLDivElement>(null)
  /** The height of the content above the list. */
  const [above, setAbove] = useState(0)
  useLayoutEffect(() => setAbove(list.current?.offsetTop ?? 0))
  const count = shown.listed + (shown.openName === undefined ? 0 : 1)
  const rows = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => 76,
    gap: 6,
    overscan: 4,
    scrollMargin: above,
  })
  const visible = rows.getVirtualItems()
  const itemAt = useItems(client, reading, visible[0]?.index ?? 0, visible.at(-1)?.index ?? 0)
  useEffect(() => {
    const at = reveal ? reading.listed.indexOf(reveal.piece) : -1
    const element = scroller.current
    if (!reveal || !element || at < 0) return undefined
    const align = reveal.isProblem ? 'center' : 'auto'
    rows.scrollToIndex(at, { align })
    if (reveal.isFar) element.scrollIntoView({ block: 'nearest' })
    if (!reveal.isProblem) return undefined
    return whileResized(element, () => rows.scrollToIndex(at, { align }))
    // Only on request.
  }, [reveal])
  return (
    <div
      className="relative min-h-0 overflow-auto overscroll-contain"
      ref={scroller}
      tabIndex={0}
      role="region"
      aria-label={t('parser.understood')}
    >
      {children}
      <div
        className="relative mx-3 mt-2.5 mb-3.5"
        role="list"
        ref={list}
        style={{ height: rows.getTotalSize() }}
        onMouseLeave={() => onHover(undefined)}
      >
        {visible.map(({ index, start, key }) => {
          const item = index < shown.listed ? itemAt(index) : undefined
          return (
            <div
              key={key}
              className="absolute inset-x-0 top-0"
              role="listitem"
              data-index={index}
              ref={rows.measureElement}
              style={{ transform: `translateY(${start - above}px)` }}
            >
              {index >= shown.listed ? (
                <OpenCall name={shown.openName!} from={shown.place} to={shown.until} />
              ) : item ? (
                <UnderstoodItem
                  item={item}
                  until={shown.place}
                  isHot={hot === item.at}
                  onHover={onHover}
                  onPick={onPick}
                />
              ) : (
                <div className="skeleton m-3" />
              )}
            </div>
          )
        })}
      </div>
    </div>
  )
}

/** The items of a list, loaded from the worker as needed. */
function useItems(
  client: ParseClient,
  reading: Reading,
  first: number,
  last: number,
): (at: number) => Item | undefined {
  /** The items by page; empty while loading. */
  const pages = useMemo(() => new Map<number, readonly Item[]>([[0, reading.items]]), [reading])
  const [count, setCount] = useState(0)
  const from = Math.floor(first / PAGE)
  const to = Math.floor(last / PAGE)
  useEffect(() => {
    for (let page = from; page <= to; page++) {
      if (pages.has(page) || page * PAGE >= reading.listed.length) continue
      pages.set(page, [])
      client.ask('items', { from: page * PAGE, to: (page + 1) * PAGE }).then(
        (items) => {
          pages.set(page, items)
          setCount((before) => before + 1)
        },
        (error: unknown) => {
          pages.delete(page)
          // A new text comes with its own items. After other errors, the page is requested again.
          if (!(error instanceof OutdatedError)) setCount((before) => before + 1)
        },
      )
    }
  }, [client, pages, from, to, reading, count])
  return (at) => pages.get(Math.floor(at / PAGE))?.[at % PAGE]
}

/**
 * Calls `run` whenever an element is resized, until the user interacts with it or the layout is
 * complete. Returns a function that stops this.
 */
function whileResized(element: Element, run: () => void): () => void {
  const observer = new ResizeObserver(run)
  const used = new AbortController()
  const stop = (): void => {
    observer.disconnect()
    used.abort()
    clearTimeout(timer)
  }
  const timer = setTimeout(stop, SETTLING)
  for (const type of ['wheel', 'pointerdown', 'keydown', 'touchstart'])
    element.addEventListener(type, stop, { signal: used.signal, passive: true })
  observer.observe(element)
  return stop
}
