import { Link } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, useEffect, useMemo, useRef } from 'react'
import type { ReactNode } from 'react'
import type { RunsSearch } from '../../app/router.tsx'
import { useFormat } from '../../chat/format.ts'
import { useWords } from '../../words/words.ts'
import { RowName } from './row-name.tsx'
import { type Bar, type WaterRow, createScale, type Scale } from './rows.ts'
import './waterfall.css'

const ROW = 25
/** The height of the axis, which stays in sight, with some room below the last row. */
const HEAD = 44
const KINDS = ['model', 'tool', 'wait', 'bad'] as const

/** Turns and calls over time, to scale. The time always fits; only the rows in sight are drawn. */
export const Waterfall = memo(function Waterfall({
  run,
  rows,
  search,
  selected,
  time,
}: {
  readonly run: string
  readonly rows: readonly WaterRow[]
  /** The list's parameters in the address. */
  readonly search: RunsSearch
  /** The key of the row that is selected. */
  readonly selected: string | undefined
  /** The time that is shown in a replay. */
  readonly time: number | undefined
}): ReactNode {
  const { t } = useWords()
  const { duration } = useFormat()
  const scroll = useRef<HTMLDivElement>(null)
  const scale = useMemo(() => createScale(rows), [rows])
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW,
    getItemKey: (index) => rows[index]!.key,
    overscan: 10,
  })
  const at = rows.findIndex(({ key }) => key === selected)
  // It comes into sight when it is selected, and when the rows before it have come. The virtualizer would measure for that.
  useEffect(() => {
    const { current } = scroll
    if (at < 0 || !current) return
    const top = virtualizer.scrollOffset ?? 0
    const height = (virtualizer.scrollRect?.height || current.clientHeight) - HEAD
    if (at * ROW < top) current.scrollTop = at * ROW
    else if ((at + 1) * ROW > top + height) current.scrollTop = (at + 1) * ROW - height
  }, [at, virtualizer])
  return (
    <div className="water" ref={scroll} tabIndex={0} role="region" aria-label={t('runs.timeline')}>
      <div className="axis">
        <div className="legend">
          {KINDS.map((kind) => (
            <span key={kind}>
              <i className={`b-${kind}`} />
              {t(`runs.bar.${kind}`)}
            </span>
          ))}
        </div>
        <div className="ticks">
          {scale.ticks.map(({ time: each, at: left }) => (
            <span key={each} style={{ left: `${left * 100}%` }}>
              {duration(each)}
            </span>
          ))}
        </div>
        <span />
      </div>
      <div className="wrows" role="list" style={{ height: virtualizer.getTotalSize() }}>
        <div className="wlines" aria-hidden="true">
          <div>
            {scale.ticks.map(({ time: each, at: left }) => (
              <i key={each} style={{ left: `${left * 100}%` }} />
            ))}
            {time !== undefined && (
              <i className="playhead" style={{ left: `${scale.place(time) * 100}%` }} />
            )}
          </div>
        </div>
        {virtualizer.getVirtualItems().map(({ index, key, start }) => (
          <div
            key={key}
            role="listitem"
            className="wplace"
            style={{ transform: `translateY(${start}px)` }}
          >
            <WaterLink
              run={run}
              row={rows[index]!}
              scale={scale}
              search={search}
              isSelected={index === at}
            />
          </div>
        ))}
      </div>
    </div>
  )
})

const WaterLink = memo(function WaterLink({
  run,
  row,
  scale,
  search,
  isSelected,
}: {
  readonly run: string
  readonly row: WaterRow
  readonly scale: Scale
  readonly search: RunsSearch
  readonly isSelected: boolean
}): ReactNode {
  const { duration } = useFormat()
  const { bars } = row
  return (
    <Link
      to="/runs/$run"
      params={{ run }}
      search={{ ...search, ...selectionOf(row) }}
      // In a replay, the address still names what was selected before.
      activeOptions={{ exact: true }}
      className={`wrow ${isSelected ? 'on' : ''}`}
      aria-current={isSelected ? 'true' : undefined}
    >
      <RowName row={row} />
      <span className="b">
        {bars.slice(0, MAX_BARS).map((bar, at) => (
          <i key={at} className={`b-${bar.kind}`} style={barStyle(bar, scale)} />
        ))}
      </span>
      <span className="d">{row.type === 'malformed' ? '' : duration(lengthOf(bars))}</span>
    </Link>
  )
})

/** A group may have thousands of calls; their bars lie over each other. */
const MAX_BARS = 40

/** The address that selects a row. */
function selectionOf(row: WaterRow): Pick<RunsSearch, 'turn' | 'call'> {
  switch (row.type) {
    case 'turn':
      return { turn: row.item.turn }
    case 'call':
      return { turn: row.turn, call: row.part.id }
    case 'group':
      return { turn: row.turn, call: row.calls[0]!.id }
    case 'malformed':
      return { turn: row.turn }
  }
}

function barStyle({ from, to }: Bar, { place }: Scale): { left: string; width: string } {
  const left = place(from)
  return { left: `${left * 100}%`, width: `${(place(to) - left) * 100}%` }
}

function lengthOf(bars: readonly Bar[]): number {
  if (bars.length === 0) return 0
  let [from, to] = [Infinity, -Infinity]
  for (const bar of bars) {
    from = Math.min(from, bar.from)
    to = Math.max(to, bar.to)
  }
  return to - from
}
