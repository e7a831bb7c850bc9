import { describe, show } from '../item.ts'
import { PATHS, IF_TRUSTED, OWN_SCOPES, type SettingsKey } from './key.ts'
import { about, flagField, plainKey, textField, wordField } from './fields.ts'

/** Files with the user's own tools: code that runs when it is loaded. */
export const tools: SettingsKey<readonly string[]> = {
  key: 'tools',
  schema: {
    description:
      'Files with your own tools, in JavaScript or TypeScript. Loading one runs its code.',
    ...PATHS,
  },
  namesCode: true,
  read(item, wrong) {
    const paths = item.kind === 'list' ? item.items : []
    const texts = paths.map((path) => textField.read(path, wrong))
    // The field checked them.
    if (item.kind === 'list' && !texts.includes(undefined)) return texts as string[]
    const got = paths[texts.indexOf(undefined)] ?? item
    wrong(got.line, `expected paths in "tools", such as ["./my-tool.mjs"], got ${describe(got)}`)
    return undefined
  },
}

/** Which tools are offered: true or false by name, alias, toolkit or MCP server (`mcp__server`); `*` means all. */
export type ToolToggles = Readonly<Record<string, boolean>>

/** The name that means all tools. */
export const ALL_TOOLS = '*'

/** Which tools are on and off. Everyone may turn off; a folder turns on only if it is trusted. */
export const toolToggles: SettingsKey<ToolToggles> = {
  key: 'toolToggles',
  schema: {
    description: `Which tools are offered to models: true or false by name, such as { "Bash": false, "mcp__github": false }. ${IF_TRUSTED.replace('this', 'true')}`,
    type: 'object',
    additionalProperties: flagField.schema,
  },
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
      const value = flagField.read(given, wrong)
      if (value === undefined)
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

const isEnabled: SettingsKey<boolean> = plainKey(
  'defaultToolEnabled',
  about(
    'Whether tools that toolToggles does not name are offered to models. Default: true.',
    flagField,
  ),
)

/** Whether tools that no `toolToggles` names are offered. */
export const defaultToolEnabled: SettingsKey<boolean> = {
  ...isEnabled,
  // Until an invalid value is fixed, nothing is offered that may have been meant to be off.
  read: (...given) => isEnabled.read(...given) ?? false,
  split: (value) => (value ? {} : { forbids: value }),
}

/** The command that run_tests runs. */
export const testCommand: SettingsKey<string> = plainKey(
  'testCommand',
  about('The command that run_tests runs, such as "npm test".', {
    ...textField,
    expected: 'a string such as "npm test"',
  }),
)

/** Whether writing a file that commands load asks first. */
export const commandFiles: SettingsKey<'ask' | 'allow'> = plainKey(
  'commandFiles',
  about(
    'Files that commands load when they run, such as Makefile or vitest.config.ts. "ask": writing them needs approval. "allow": they are treated like other files. Default: "ask".',
    wordField('ask', 'allow'),
  ),
  OWN_SCOPES,
)
