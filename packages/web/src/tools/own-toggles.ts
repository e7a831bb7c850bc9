import type { ListedTool } from './listed-tool.ts'

/** What the person's own settings say of tools. */
export interface OwnToggles {
  readonly toolToggles: Readonly<Record<string, boolean>>
  readonly defaultToolEnabled: boolean
}

/** The names that mean a tool in settings. */
type Named = Pick<ListedTool, 'name' | 'aliases' | 'server' | 'toolkit'>

/** Whether this page can turn a tool on: nobody else's settings turn it off by name. */
export function canTurnOn({ enabled, disabledBy }: ListedTool, isOwnFile: boolean): boolean {
  return enabled || disabledBy === undefined || isOwnFile || disabledBy.key === 'defaultToolEnabled'
}

/** Toggles with one tool on or off. Only what is needed is written. */
export function withTool(own: OwnToggles, tool: Named, isOn: boolean): OwnToggles['toolToggles'] {
  const names = new Set([tool.name, ...tool.aliases])
  const others = without(own.toolToggles, (name) => names.has(name))
  const isOnAnyway = stateOf({ ...own, toolToggles: others }, tool)
  // Somebody else's default may be off: then on is written, although nothing here turns it off.
  const wasOffHere = [...names].some((name) => at(own.toolToggles, name) === false)
  return isOn === isOnAnyway && (!isOn || wasOffHere) ? others : { ...others, [tool.name]: isOn }
}

/** Toggles with all tools of an MCP server or a toolkit on or off. */
export function withKit(
  own: OwnToggles,
  kit: string,
  tools: readonly Named[],
  isOn: boolean,
): OwnToggles['toolToggles'] {
  const names = new Set([
    kit,
    `${kit}__*`,
    ...tools.flatMap(({ name, aliases }) => [name, ...aliases]),
  ])
  const others = without(own.toolToggles, (name) => names.has(name))
  const isOnAnyway = at(others, '*') ?? own.defaultToolEnabled
  return isOn && isOnAnyway ? others : { ...others, [kit]: isOn }
}

/** What names all tools of a toolkit in settings; undefined if nothing does. */
export function kitName({
  server,
  toolkit,
}: Pick<Named, 'server' | 'toolkit'>): string | undefined {
  return server === undefined ? toolkit : `mcp__${server}`
}

/** Settings turn these on and off together with Bash. */
const SHELL_TOOLS = ['BashInput', 'BashOutput', 'KillShell']

/** Whether settings leave a tool on by what they say of its toolkit, or by default. */
function stateOf({ toolToggles, defaultToolEnabled }: OwnToggles, tool: Named): boolean {
  const kit = kitName(tool) ?? (SHELL_TOOLS.includes(tool.name) ? 'Bash' : undefined)
  const said = kit === undefined ? [] : [at(toolToggles, kit), at(toolToggles, `${kit}__*`)]
  const given = said.filter((each) => each !== undefined)
  if (given.length > 0) return !given.includes(false)
  return at(toolToggles, '*') ?? defaultToolEnabled
}

function at(toggles: OwnToggles['toolToggles'], name: string): boolean | undefined {
  return Object.hasOwn(toggles, name) ? toggles[name] : undefined
}

function without(
  toggles: OwnToggles['toolToggles'],
  isGone: (name: string) => boolean,
): OwnToggles['toolToggles'] {
  return Object.fromEntries(Object.entries(toggles).filter(([name]) => !isGone(name)))
}
