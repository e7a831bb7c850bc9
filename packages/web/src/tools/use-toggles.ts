import { useRef, useState } from 'react'
import { errorText } from '../app/use-api.ts'
import { ownValue, type Settings } from '../settings/place-text.tsx'
import { useChangeSettings } from '../settings/use-settings.ts'
import { useToast } from '../ui/toasts.tsx'
import { useWords } from '../words/words.ts'
import type { ListedTool } from './listed-tool.ts'

/** The wanted states of tools while the settings are being written. */
export interface PendingToggle {
  readonly isOn: boolean
}

/** The last change of each tool. */
type PendingToggles = ReadonlyMap<string, PendingToggle>

/** Turns tools on and off in the person's own settings. */
export interface Toggles {
  /** Whether a tool is on, or will be in a moment. */
  readonly isOn: (tool: ListedTool) => boolean
  readonly toggle: (tool: ListedTool, isOn: boolean) => void
  readonly toggleKit: (kit: string, tools: readonly ListedTool[], isOn: boolean) => void
}

/** Turns tools on and off. A switch moves at once, and back if the settings could not be written. */
export function useToggles(): Toggles {
  const { t } = useWords()
  const toast = useToast()
  const change = useChangeSettings()
  const [wanted, setWanted] = useState<PendingToggles>(new Map())
  // Each change reads the settings first: two at once would lose one.
  const last = useRef<Promise<unknown>>(Promise.resolve())

  const apply = (
    tools: readonly ListedTool[],
    isOn: boolean,
    next: (own: OwnToggles) => OwnToggles['toolToggles'],
  ): void => {
    const toggle: PendingToggle = { isOn }
    setWanted((now) => new Map([...now, ...tools.map(({ name }) => [name, toggle] as const)]))
    const done = last.current.then(async () => {
      try {
        await change.mutateAsync({
          key: 'toolToggles',
          value(now) {
            const toggles = next(ownToggles(now))
            return Object.keys(toggles).length === 0 ? null : toggles
          },
        })
      } catch (error) {
        toast({ title: t('tools.notSaved'), text: errorText(error), kind: 'no' })
      } finally {
        setWanted((now) => withoutToggle(now, toggle))
      }
    })
    last.current = done
  }
  return {
    isOn: ({ name, enabled }) => wanted.get(name)?.isOn ?? enabled,
    toggle: (tool, isOn) => apply([tool], isOn, (own) => withTool(own, tool, isOn)),
    toggleKit: (kit, tools, isOn) => apply(tools, isOn, (own) => withKit(own, kit, tools, isOn)),
  }
}

/** The person's own settings. */
function ownToggles(settings: Settings): OwnToggles {
  return {
    toolToggles: (ownValue(settings, 'toolToggles') ?? {}) as OwnToggles['toolToggles'],
    defaultToolEnabled: ownValue(settings, 'defaultToolEnabled') !== false,
  }
}

/** The pending toggles without one that was written or failed. A later one of the same tool stays. */
export function withoutToggle(pending: PendingToggles, toggle: PendingToggle): PendingToggles {
  return new Map([...pending].filter(([, each]) => each !== toggle))
}

/** The person's own settings of tools. */
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

/** The name of a whole toolkit in settings; undefined if it has none. */
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
