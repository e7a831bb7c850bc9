import { useRef, useState } from 'react'
import { errorText } from '../app/use-api.ts'
import { ownValue, type Settings } from '../settings/place-text.tsx'
import { useChangeSettings } from '../settings/use-settings.ts'
import { useToast } from '../ui/toasts.tsx'
import { useWords } from '../words/words.ts'
import type { ListedTool } from './listed-tool.ts'

/** A change to a tool that is still being saved. */
export interface PendingToggle {
  readonly isOn: boolean
}

/** The last change of each tool. */
type PendingToggles = ReadonlyMap<string, PendingToggle>

/** Enables and disables tools in the user's own settings. */
export interface Toggles {
  /** True if a tool is enabled, or will be once saved. */
  readonly isOn: (tool: ListedTool) => boolean
  readonly toggle: (tool: ListedTool, isOn: boolean) => void
  readonly toggleKit: (kit: string, tools: readonly ListedTool[], isOn: boolean) => void
}

/**
 * Enables and disables tools. A switch moves at once, and back if the settings could not be saved.
 */
export function useToggles(): Toggles {
  const { t } = useWords()
  const toast = useToast()
  const change = useChangeSettings()
  const [wanted, setWanted] = useState<PendingToggles>(new Map())
  // Each change reads the settings first: two parallel changes would lose one.
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

/** The pending toggles without one that was saved or failed. A later one of the same tool stays. */
export function withoutToggle(pending: PendingToggles, toggle: PendingToggle): PendingToggles {
  return new Map([...pending].filter(([, each]) => each !== toggle))
}

/** The user's own tool settings. */
export interface OwnToggles {
  readonly toolToggles: Readonly<Record<string, boolean>>
  readonly defaultToolEnabled: boolean
}

/** The names of a tool in settings. */
type Named = Pick<ListedTool, 'name' | 'aliases' | 'server' | 'toolkit'>

/** True if this page can enable a tool: no other settings file disables it by name. */
export function canTurnOn({ enabled, disabledBy }: ListedTool, isOwnFile: boolean): boolean {
  return enabled || disabledBy === undefined || isOwnFile || disabledBy.key === 'defaultToolEnabled'
}

/** The settings with one tool enabled or disabled, with as few changes as possible. */
export function withTool(own: OwnToggles, tool: Named, isOn: boolean): OwnToggles['toolToggles'] {
  const names = new Set([tool.name, ...tool.aliases])
  const others = without(own.toolToggles, (name) => names.has(name))
  const isOnAnyway = stateOf({ ...own, toolToggles: others }, tool)
  // The default of another file may be off: then the tool must be enabled explicitly.
  const wasOffHere = [...names].some((name) => at(own.toolToggles, name) === false)
  return isOn === isOnAnyway && (!isOn || wasOffHere) ? others : { ...others, [tool.name]: isOn }
}

/** The settings with all tools of an MCP server or a toolkit enabled or disabled. */
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

/** Settings enable and disable these together with Bash. */
const SHELL_TOOLS = ['BashInput', 'BashOutput', 'KillShell']

/** True if a tool is enabled by the settings of its toolkit or by default. */
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
