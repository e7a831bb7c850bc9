import type { ListedTool } from './listed-tool.ts'
import type { Toolkit } from './toolkits.ts'

/** One row of the list: a heading, a few cards, or a word about a toolkit without cards. */
export type GridRow =
  | { readonly kind: 'head'; readonly kit: Toolkit }
  | { readonly kind: 'problem'; readonly kit: Toolkit }
  | { readonly kind: 'cards'; readonly tools: readonly ListedTool[] }

/** The rows of toolkits, with so many cards in each row. */
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

/** How many cards there is room for in a list of this width, in pixels. */
export function columnsFor(width: number): number {
  const [card, gap, padding] = [216, 8, 32]
  return Math.max(1, Math.min(8, Math.floor((width - padding + gap) / (card + gap))))
}
