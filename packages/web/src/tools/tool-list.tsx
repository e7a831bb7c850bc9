import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type RefObject,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
} from 'react'
import type { Settings } from '../settings/place-text.tsx'
import { Banner } from '../ui/banner.tsx'
import { VisibleText } from '../ui/visible-text.tsx'
import { useWords } from '../words/words.ts'
import { callsOf, type ToolOrder } from './find-tools.ts'
import { KitHead, KitProblem } from './kit-head.tsx'
import type { ListedServer, ListedTool } from './listed-tool.ts'
import { ToolCard } from './tool-card.tsx'
import { toolkitsOf, type Toolkit } from './toolkits.ts'
import type { Toggles } from './use-toggles.ts'
import { Button } from '../ui/button.tsx'

/** A row of the list: a heading, a few cards, or a note about a toolkit without cards. */
type GridRow =
  | { readonly kind: 'head'; readonly kit: Toolkit }
  | { readonly kind: 'problem'; readonly kit: Toolkit }
  | { readonly kind: 'cards'; readonly tools: readonly ListedTool[] }

/** The start of warnings about an MCP server. */
const OF_SERVER = 'the MCP server '

/** Actions of the list for other components. */
export interface ToolListHandle {
  /** Scrolls to a tool and focuses it. */
  focus(name: string): void
}

/** Cards of tools. Draws only visible ones. */
export function ToolList({
  all,
  found,
  order,
  warnings,
  servers,
  selected,
  select,
  onTry,
  toggles,
  calls,
  settings,
  isSearching,
  onClear,
  handle,
}: {
  readonly all: readonly ListedTool[]
  readonly found: readonly ListedTool[]
  readonly order: ToolOrder
  readonly warnings: readonly string[]
  /** Undefined until loaded. */
  readonly servers: readonly ListedServer[] | undefined
  readonly selected: string | undefined
  readonly select: (name: string) => void
  readonly onTry: (name: string) => void
  readonly toggles: Toggles
  readonly calls: ReadonlyMap<string, number> | undefined
  readonly settings: Settings | undefined
  readonly isSearching: boolean
  readonly onClear: () => void
  readonly handle: RefObject<ToolListHandle | null>
}): ReactNode {
  const { t } = useWords()
  const scroll = useRef<HTMLDivElement>(null)
  const columns = useColumns(scroll)
  const rows = useMemo(
    () =>
      order === 'toolkit'
        ? rowsOfToolkits(toolkitsOf(all, found, isSearching ? [] : servers), columns)
        : rowsOfTools(found, columns),
    [all, found, order, servers, isSearching, columns],
  )
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: (at) => (rows[at]!.kind === 'cards' ? 108 : 44),
    // Row heights depend on the number of cards per row.
    getItemKey: (at) => `${order} ${columns} ${at}`,
    overscan: 4,
    paddingStart: 6,
    paddingEnd: 20,
  })
  // Scrolls to the tool in the address when the page opens.
  const wasShown = useRef(false)
  useEffect(() => {
    // Toolkits of servers load later.
    if (wasShown.current || !servers) return
    wasShown.current = true
    const at = rows.findIndex((row) => selected !== undefined && isRowOf(row, selected))
    if (at >= 0) list.scrollToIndex(at, { align: 'center' })
  }, [list, rows, selected, servers])
  useImperativeHandle(handle, () => ({
    focus(name) {
      const at = rows.findIndex((row) => isRowOf(row, name))
      if (at < 0) return
      list.scrollToIndex(at, { align: 'auto' })
      focusCard(scroll, name)
    },
  }))
  // MCP servers show problems beside their tools, unless none of their tools match the search.
  const isMissing = isSearching && found.length === 0
  const others = isMissing ? warnings : warnings.filter((text) => !text.startsWith(OF_SERVER))
  return (
    <div
      className="min-h-0 overflow-auto overscroll-contain"
      ref={scroll}
      role="group"
      aria-label={t('tools.list')}
    >
      {others.length > 0 && (
        <div className="grid gap-2 px-4 pt-3.5">
          {others.slice(0, 5).map((text) => (
            <Banner key={text} icon="hand">
              <VisibleText text={text.slice(0, 500)} />
            </Banner>
          ))}
        </div>
      )}
      {found.length === 0 && isSearching && (
        <div className="empty px-4 py-12">
          <b>{t('tools.nothing')}</b>
          <Button onClick={onClear}>{t('tools.nothing.clear')}</Button>
        </div>
      )}
      <div className="relative" style={{ height: list.getTotalSize() }}>
        {list.getVirtualItems().map(({ key, index, start }) => (
          <div
            key={key}
            ref={list.measureElement}
            data-index={index}
            className="absolute inset-x-0"
            style={{ transform: `translateY(${start}px)` }}
          >
            {drawRow(rows[index]!)}
          </div>
        ))}
      </div>
    </div>
  )

  function drawRow(row: GridRow): ReactNode {
    if (row.kind === 'head') return <KitHead kit={row.kit} toggles={toggles} />
    if (row.kind === 'problem') return <KitProblem server={row.kit.server!} />
    return (
      <div
        className="grid gap-2 px-4 pb-2"
        style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
      >
        {row.tools.map((tool) => (
          <ToolCard
            key={tool.name}
            isSelected={tool.name === selected}
            onSelect={() => select(tool.name)}
            onTry={() => onTry(tool.name)}
            calls={calls && callsOf(tool, calls)}
            {...{ tool, toggles, settings }}
          />
        ))}
      </div>
    )
  }
}

function isRowOf(row: GridRow, name: string): boolean {
  return row.kind === 'cards' && row.tools.some((tool) => tool.name === name)
}

/**
 * Focuses the card of a tool once it is drawn, unless that takes long or the focus has moved
 * outside the list, such as to a text field.
 */
function focusCard(
  scroll: RefObject<HTMLElement | null>,
  name: string,
  frames = 10,
  before = document.activeElement,
): void {
  requestAnimationFrame(() => {
    const { activeElement: now } = document
    if (now !== before && now !== document.body && !scroll.current?.contains(now)) return
    const cards = scroll.current?.querySelectorAll<HTMLElement>('[data-tool]') ?? []
    const card = [...cards].find((each) => each.dataset['tool'] === name)
    if (card) card.focus()
    else if (frames > 0) focusCard(scroll, name, frames - 1, before)
  })
}

/** The number of cards that fit in a row. */
function useColumns(scroll: RefObject<HTMLElement | null>): number {
  const [columns, setColumns] = useState(3)
  useLayoutEffect(() => {
    const element = scroll.current
    if (!element) return undefined
    const count = (): void => setColumns(columnsFor(element.clientWidth))
    count()
    const observer = new ResizeObserver(count)
    observer.observe(element)
    return () => observer.disconnect()
  }, [scroll])
  return columns
}

/** The rows of toolkits, with this many cards per row. */
export function rowsOfToolkits(kits: readonly Toolkit[], columns: number): readonly GridRow[] {
  return kits.flatMap((kit): GridRow[] => {
    const hasProblem = kit.server !== undefined && kit.server.problems.length > 0
    const isIdle = kit.server !== undefined && kit.server.state !== 'started'
    if (kit.tools.length === 0 && !hasProblem && !isIdle) return []
    return [
      { kind: 'head', kit },
      ...(hasProblem ? [{ kind: 'problem', kit } as const] : []),
      ...rowsOfTools(kit.tools, columns),
    ]
  })
}

/** Rows of cards. */
export function rowsOfTools(tools: readonly ListedTool[], columns: number): readonly GridRow[] {
  const rows: GridRow[] = []
  for (let at = 0; at < tools.length; at += columns)
    rows.push({ kind: 'cards', tools: tools.slice(at, at + columns) })
  return rows
}

/** The number of cards that fit into a list of this width in pixels. */
export function columnsFor(width: number): number {
  const [card, gap, padding] = [216, 8, 32]
  return Math.max(1, Math.min(8, Math.floor((width - padding + gap) / (card + gap))))
}
