import { describe, show } from '../item.ts'
import type { SettingsKey } from './key.ts'

/** Which tools are offered: true or false by name, alias, toolkit or MCP server (`mcp__server`); `*` means all. */
export type ToolToggles = Readonly<Record<string, boolean>>

/** What names all tools. */
export const ALL_TOOLS = '*'

/** Which tools are on and off. Everyone may turn off; a folder turns on only if it is trusted. */
export const toolToggles: SettingsKey<ToolToggles> = {
  key: 'toolToggles',
  read(item, wrong) {
    if (item.kind !== 'map') {
      wrong(
        item.line,
        `expected true or false by tool in "toolToggles", got ${describe(item)}: all tools are off`,
      )
      // A list may have meant what is on or what is off: until it is fixed, nothing is offered.
      return { [ALL_TOOLS]: false }
    }
    const found = new Map<string, boolean>()
    for (const { key, line, item: given } of item.entries) {
      const value = given.kind === 'plain' ? given.value : undefined
      if (typeof value !== 'boolean')
        wrong(line, `expected true or false in ${show(key)}, got ${describe(given)}: it is off`)
      if (found.has(key)) wrong(line, `${show(key)} is a duplicate key`)
      found.set(key, value === true && found.get(key) !== false)
    }
    return Object.fromEntries(found)
  },
  split(value) {
    const [forbids, grants] = [false, true].map((isOn) =>
      Object.entries(value).filter((entry) => entry[1] === isOn),
    )
    return {
      ...(forbids!.length > 0 && { forbids: Object.fromEntries(forbids!) }),
      ...(grants!.length > 0 && { grants: Object.fromEntries(grants!) }),
    }
  },
}
