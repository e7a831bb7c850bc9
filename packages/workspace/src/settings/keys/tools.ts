import { describe, mustBe, show } from '../item.ts'
import { PATHS, IF_TRUSTED, OWN_SCOPES, type SettingsKey } from './key.ts'
import { about, flagField, plainKey, textField, wordField } from './fields.ts'

/** Files with the user's own tools. Their code runs when they are loaded. */
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
    // Checked by the field.
    if (item.kind === 'list' && !texts.includes(undefined)) return texts as string[]
    const got = paths[texts.indexOf(undefined)] ?? item
    const but = got === item ? 'not' : 'and cannot contain'
    wrong(
      got.line,
      `"tools" must be a list of paths, such as ["./my-tool.mjs"], ${but} ${describe(got)}`,
    )
    return undefined
  },
}

/**
 * The tools to offer: true or false by name, alias, toolkit or MCP server (`mcp__server`). `*`
 * means all tools.
 */
export type ToolToggles = Readonly<Record<string, boolean>>

/** The name that represents all tools. */
export const ALL_TOOLS = '*'

/**
 * Turns tools on and off. All settings can turn tools off, but a folder can turn them on only if it
 * is trusted.
 */
export const toolToggles: SettingsKey<ToolToggles> = {
  key: 'toolToggles',
  schema: {
    description: `The tools to offer to models: true or false by name, such as { "Bash": false, "mcp__github": false }. ${IF_TRUSTED.replace('this', 'true')}`,
    type: 'object',
    additionalProperties: flagField.schema,
  },
  read(item, wrong) {
    if (item.kind !== 'map') {
      wrong(
        item.line,
        `"toolToggles" must map tools to true or false, not ${describe(item)}. Until this is fixed, all tools are off`,
      )
      // An invalid list may have meant tools to turn off, so nothing is offered until it is fixed.
      return { [ALL_TOOLS]: false }
    }
    const found = new Map<string, boolean>()
    for (const { key, line, item: given } of item.entries) {
      const value = flagField.read(given, wrong)
      if (value === undefined)
        wrong(line, `${mustBe(key, 'true or false', given)}, which counts as false`)
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
  about('Offer tools that are not in toolToggles. Default: true.', flagField),
)

/** Offer tools that are not listed in `toolToggles`. */
export const defaultToolEnabled: SettingsKey<boolean> = {
  ...isEnabled,
  // Until an invalid value is fixed, do not offer tools that may have been meant to be off.
  read: (...given) => isEnabled.read(...given) ?? false,
  split: (value) => (value ? {} : { forbids: value }),
}

/** The command for run_tests. */
export const testCommand: SettingsKey<string> = plainKey(
  'testCommand',
  about('The command that run_tests runs, such as "npm test".', {
    ...textField,
    expected: 'a string such as "npm test"',
  }),
)

/** Require approval for writing files that commands load as code. */
export const commandFiles: SettingsKey<'ask' | 'allow'> = plainKey(
  'commandFiles',
  about(
    'Files that commands load when they run, such as Makefile or vitest.config.ts. "ask": writing them needs approval. "allow": they are treated like other files. Default: "ask".',
    wordField('ask', 'allow'),
  ),
  OWN_SCOPES,
)
