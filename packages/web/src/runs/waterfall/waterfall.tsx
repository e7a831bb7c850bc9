import { Link } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, useEffect, useMemo, useRef } from 'react'
import type { ReactNode } from 'react'
import type { RunsSearch } from '../../app/router.tsx'
import { useFormat } from '../../chat/format.ts'
import { useWords } from '../../words/words.ts'
import { RowName } from './row-name.tsx'
import { type Bar, type WaterRow, createScale, type Scale } from './rows.ts'

const ROW = 25
/** The height of the sticky axis, with some room below the last row. */
const HEAD = 44
const KINDS = ['model', 'tool', 'wait', 'bad'] as const

/** Columns: the name of a row, its bars, and its duration. */
const COLUMNS =
  'grid grid-cols-[250px_minmax(0,1fr)_62px] gap-2.5 laptop:grid-cols-[208px_minmax(0,1fr)_58px]'
const ROWS_ON_PHONE = 'phone:grid-cols-[minmax(0,1fr)_34%_52px] phone:gap-2'

const BARS: Readonly<Record<Bar['kind'], string>> = {
  model: 'bg-[color-mix(in_srgb,var(--solid-think)_78%,transparent)]',
  first: 'bg-[color-mix(in_srgb,var(--solid-think)_34%,transparent)]',
  tool: 'bg-solid-call',
  bad: 'bg-solid-no',
  wait: 'bg-[repeating-linear-gradient(115deg,var(--solid-wait)_0_3px,color-mix(in_srgb,var(--solid-wait)_35%,transparent)_3px_6px)]',
}

/** Turns and calls over time, to scale. The whole time fits the width; draws only visible rows. */
export const Waterfall = memo(function Waterfall({
  run,
  rows,
  search,
  selected,
  isReplay,
  time,
}: {
  readonly run: string
  readonly rows: readonly WaterRow[]
  /** The list parameters of the address. */
  readonly search: RunsSearch
  /** The key of the selected row. */
  readonly selected: string | undefined
  readonly isReplay: boolean
  /** The displayed time in a replay. */
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
  // Scrolls when a row is selected and when the rows before it have arrived. The virtualizer would
  // need measurements for that.
  useEffect(() => {
    const { current } = scroll
    if (at < 0 || !current) return
    const top = virtualizer.scrollOffset ?? 0
    const height = (virtualizer.scrollRect?.height || current.clientHeight) - HEAD
    if (at * ROW < top) current.scrollTop = at * ROW
    else if ((at + 1) * ROW > top + height) current.scrollTop = (at + 1) * ROW - height
  }, [at, virtualizer])
  return (
    <div
      className={`relative min-h-15 overflow-auto border-b border-line px-4 pb-3 phone:px-2.5 phone:pb-2.5 ${isReplay ? 'max-h-[min(26vh,230px)] phone:hidden' : 'max-h-[min(44vh,420px)] phone:max-h-[60vh]'}`}
      ref={scroll}
      tabIndex={0}
      role="region"
      aria-label={t('runs.timeline')}
    >
      <div
        className={`${COLUMNS} sticky top-0 z-2 bg-bg px-1.5 pt-2 pb-1 text-11 text-ink-3 tabular-nums phone:grid-cols-[1fr]`}
      >
        <div className="flex items-center gap-[9px] text-12 text-ink-2">
          {KINDS.map((kind) => (
            <span key={kind} className="flex items-center gap-[5px] whitespace-nowrap">
              <i className={`size-[9px] rounded-[2px] ${BARS[kind]}`} />
              {t(`runs.bar.${kind}`)}
            </span>
          ))}
        </div>
        <div className="relative h-4 phone:hidden">
          {scale.ticks.map(({ time: each, at: left }) => (
            <span
              key={each}
              className="absolute -translate-x-1/2 whitespace-nowrap first:translate-x-0"
              style={{ left: `${left * 100}%` }}
            >
              {duration(each)}
            </span>
          ))}
        </div>
        <span />
      </div>
      <div className="relative" role="list" style={{ height: virtualizer.getTotalSize() }}>
        <div
          className={`${COLUMNS} ${ROWS_ON_PHONE} pointer-events-none absolute inset-0 px-1.5`}
          aria-hidden="true"
        >
          <div className="relative col-start-2">
            {scale.ticks.map(({ time: each, at: left }) => (
              <i
                key={each}
                className="absolute inset-y-0 w-px bg-line"
                style={{ left: `${left * 100}%` }}
              />
            ))}
            {time !== undefined && (
              <i
                className="absolute inset-y-0 z-1 w-0.5 bg-call"
                style={{ left: `${scale.place(time) * 100}%` }}
              />
            )}
          </div>
        </div>
        {virtualizer.getVirtualItems().map(({ index, key, start }) => (
          <div
            key={key}
            role="listitem"
            className="absolute inset-x-0 top-0"
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
      // In a replay, the address still contains the earlier selection.
      activeOptions={{ exact: true }}
      className={`${COLUMNS} ${ROWS_ON_PHONE} h-[25px] items-center rounded-sm px-1.5 focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-call ${isSelected ? 'bg-sel shadow-selected' : 'hover:bg-hover'}`}
      aria-current={isSelected ? 'true' : undefined}
    >
      <RowName row={row} />
      <span className="relative h-[25px]">
        {bars.slice(0, MAX_BARS).map((bar, at) => (
          <i
            key={at}
            className={`absolute inset-y-[7px] min-w-0.5 rounded-[2px] ${BARS[bar.kind]}`}
            style={barStyle(bar, scale)}
          />
        ))}
      </span>
      <span className="text-right text-[11.5px] whitespace-nowrap text-ink-2 tabular-nums">
        {row.type === 'malformed' ? '' : duration(lengthOf(bars))}
      </span>
    </Link>
  )
})

/** A group may have thousands of calls, whose bars overlap. */
const MAX_BARS = 40

/** The parameters that select a row. */
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
