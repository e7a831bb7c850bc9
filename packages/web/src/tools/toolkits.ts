import type { ListedServer, ListedTool } from './listed-tool.ts'

/** The groups of built-in tools by purpose. */
export type BuiltInKit = 'files' | 'shell' | 'person' | 'web' | 'other'

/** A group of tools. */
export interface Toolkit {
  readonly id: string
  readonly kind: 'built-in' | 'mcp' | 'own'
  /** The name of a server or of the user's own toolkit. */
  readonly name?: string
  /** The groups of built-in tools by purpose. */
  readonly builtIn?: BuiltInKit
  /** The tools that match the search. */
  readonly tools: readonly ListedTool[]
  /** All its tools, regardless of the search. */
  readonly members: readonly ListedTool[]
  readonly server?: ListedServer
}

/**
 * Groups tools into toolkits: the built-in ones by purpose, MCP servers, and the user's own.
 * Servers without tools are included if they have a problem.
 */
export function toolkitsOf(
  all: readonly ListedTool[],
  shown: readonly ListedTool[],
  servers: readonly ListedServer[] = [],
): readonly Toolkit[] {
  const kits = new Map<string, Omit<Toolkit, 'tools' | 'members'>>()
  const byKit = new Map<string, { all: ListedTool[]; shown: ListedTool[] }>()
  const membersOf = (id: string): { all: ListedTool[]; shown: ListedTool[] } => {
    const found = byKit.get(id) ?? { all: [], shown: [] }
    byKit.set(id, found)
    return found
  }
  for (const server of servers) {
    const id = `mcp ${server.name}`
    kits.set(id, { id, kind: 'mcp', name: server.name, server })
    membersOf(id)
  }
  for (const tool of all) {
    const kit = kitOf(tool)
    if (!kits.has(kit.id)) kits.set(kit.id, kit)
    membersOf(kit.id).all.push(tool)
  }
  for (const tool of shown) membersOf(kitOf(tool).id).shown.push(tool)
  return [...kits.values()]
    .map((kit) => {
      const { all: members, shown: found } = membersOf(kit.id)
      return { ...kit, tools: found, members }
    })
    .sort(
      (one, other) =>
        KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind) ||
        BUILT_IN_ORDER.indexOf(one.builtIn) - BUILT_IN_ORDER.indexOf(other.builtIn) ||
        (one.name ?? '').localeCompare(other.name ?? ''),
    )
}

const KINDS: readonly Toolkit['kind'][] = ['built-in', 'mcp', 'own']

/** The built-in tools by purpose. */
const BUILT_IN: ReadonlyMap<string, BuiltInKit> = new Map(
  Object.entries({
    files: ['Read', 'Write', 'Edit', 'Glob', 'Grep'],
    shell: ['Bash', 'BashOutput', 'BashInput', 'KillShell'],
    person: ['AskUserQuestion', 'TodoWrite'],
    web: ['LSP', 'WebFetch', 'WebSearch'],
  } satisfies Record<Exclude<BuiltInKit, 'other'>, string[]>).flatMap(([kit, names]) =>
    names.map((name) => [name, kit as BuiltInKit] as const),
  ),
)
const BUILT_IN_ORDER: readonly (BuiltInKit | undefined)[] = [
  'files',
  'shell',
  'person',
  'web',
  'other',
]

function kitOf({
  name,
  from,
  server,
  toolkit,
}: ListedTool): Omit<Toolkit, 'tools' | 'members' | 'server'> {
  if (from === 'mcp' && server !== undefined)
    return { id: `mcp ${server}`, kind: 'mcp', name: server }
  if (from === 'own')
    return toolkit === undefined
      ? { id: 'own', kind: 'own' }
      : { id: `own ${toolkit}`, kind: 'own', name: toolkit }
  const builtIn = BUILT_IN.get(name) ?? 'other'
  return { id: builtIn, kind: 'built-in', builtIn }
}
