import type { ListedTool } from './listed-tool.ts'

/** The order of tools. `toolkit`: grouped, in the server's order. */
export type ToolOrder = 'toolkit' | 'name' | 'parameters' | 'used'
/** The filter for the listed tools. */
export type ToolFilter = 'all' | 'enabled' | 'read-only' | 'asks'

/** The tools that match a search and a filter, in order. */
export function findTools(
  tools: readonly ListedTool[],
  {
    search,
    filter,
    order,
    calls,
  }: {
    readonly search: string
    readonly filter: ToolFilter
    readonly order: ToolOrder
    /** The number of calls by name. */
    readonly calls: ReadonlyMap<string, number>
  },
): readonly ListedTool[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const found = tools.filter(
    (tool) => FILTERS[filter](tool) && words.every((word) => contains(tool, word)),
  )
  const byName = (one: ListedTool, other: ListedTool): number =>
    one.name.localeCompare(other.name, 'en')
  if (order === 'toolkit') return found
  if (order === 'name') return found.sort(byName)
  const weight: (tool: ListedTool) => number =
    order === 'parameters' ? (tool) => parameterNames(tool).length : (tool) => callsOf(tool, calls)
  return found.sort((one, other) => weight(other) - weight(one) || byName(one, other))
}

/** The number of calls of a tool, by its name or an alias. */
export function callsOf(
  { name, aliases }: Pick<ListedTool, 'name' | 'aliases'>,
  calls: ReadonlyMap<string, number>,
): number {
  return [name, ...aliases].reduce((sum, each) => sum + (calls.get(each) ?? 0), 0)
}

const FILTERS: Readonly<Record<ToolFilter, (tool: ListedTool) => boolean>> = {
  all: () => true,
  enabled: ({ enabled }) => enabled,
  'read-only': ({ readOnly }) => readOnly,
  asks: ({ asks }) => asks,
}

/** True if a tool's name, alias, description or parameter names contain a word. */
function contains(tool: ListedTool, word: string): boolean {
  return textOf(tool).includes(word)
}

/** The searchable text of each tool, cached because descriptions can be long. */
const texts = new WeakMap<ListedTool, string>()
function textOf(tool: ListedTool): string {
  let text = texts.get(tool)
  if (text === undefined) {
    const { name, aliases, server = '', toolkit = '', description } = tool
    text = [name, ...aliases, server, toolkit, ...parameterNames(tool), description]
      .join('\n')
      .toLowerCase()
    texts.set(tool, text)
  }
  return text
}

/** The names of the parameters of a tool. */
function parameterNames({ parameters }: Pick<ListedTool, 'parameters'>): readonly string[] {
  const properties: unknown = parameters['properties']
  return typeof properties === 'object' && properties !== null ? Object.keys(properties) : []
}
