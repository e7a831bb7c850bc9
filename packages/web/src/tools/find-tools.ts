import type { ListedTool } from './listed-tool.ts'

/** How tools are ordered. `toolkit`: grouped, as the server lists them. */
export type ToolOrder = 'toolkit' | 'name' | 'parameters' | 'used'
/** Which tools are shown. */
export type ToolFilter = 'all' | 'enabled' | 'read-only' | 'asks'

/** The tools that a search and a filter leave, in order. */
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
    /** How often each name was called. */
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

/** How often a tool was called, by its name or an alias. */
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

/** Whether a word is in the name, an alias, the description or a parameter's name of a tool. */
function contains(tool: ListedTool, word: string): boolean {
  return textOf(tool).includes(word)
}

/** The searched text, made once for each tool, since descriptions can be long. */
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
