import { PERMISSION_MODES } from '@toolglot/permissions'
import { unknownName } from '@toolglot/permissions/errors/internal'
import { UserError } from '../user-error.ts'
import { settingsKeys } from './keys/index.ts'
import {
  describeKey,
  IF_TRUSTED,
  objectSchema,
  PATHS,
  type SettingSchema,
  TEXTS,
} from './keys/key.ts'

/**
 * The JSON Schema of settings as text: the content of settings.schema.json, which `npm run docs`
 * writes.
 */
export function settingsSchema(): string {
  return `${JSON.stringify({ $schema: 'https://json-schema.org/draft/2020-12/schema', ...SCHEMA }, null, 2)}\n`
}

const MODE: SettingSchema = {
  description:
    'default: calls that no rule allows need approval. acceptEdits: edits in the workspace need no approval. plan: nothing is changed. dontAsk: calls that would need approval are denied. A project can make the mode stricter, but not looser.',
  enum: PERMISSION_MODES,
}
const IGNORED: SettingSchema = { description: 'Accepted for compatibility; has no effect.' }

const PERMISSIONS: SettingSchema = objectSchema(
  {
    allow: { description: `Calls that run without approval. ${IF_TRUSTED}`, ...TEXTS },
    ask: { description: 'Calls that always need approval.', ...TEXTS },
    deny: { description: 'Calls that are always denied.', ...TEXTS },
    mode: MODE,
    defaultMode: { ...MODE, description: 'An alias of mode.' },
    roots: { description: `Additional folders of the workspace. ${IF_TRUSTED}`, ...PATHS },
    additionalDirectories: { ...PATHS, description: 'An alias of roots.' },
    disableBypassPermissionsMode: IGNORED,
    disableAutoMode: IGNORED,
  },
  {
    description:
      'Rules such as "Bash(git status)", "Read(src/**)", "WebFetch(domain:go.dev)", "Grep". Deny takes precedence over ask, and ask over allow.',
  },
)

const SCHEMA: SettingSchema = objectSchema(
  {
    $schema: { type: 'string' },
    permissions: PERMISSIONS,
    protocols: {
      description: `Files with your own protocols, in JavaScript or TypeScript. Loading one runs its code. ${IF_TRUSTED}`,
      ...PATHS,
    },
    ...Object.fromEntries(settingsKeys.map((each) => [each.key, describeKey(each)])),
  },
  {
    title: 'Settings of Toolglot',
    description: 'Permissions, models, MCP servers, and your own tools and protocols.',
  },
)

/** A setting, as described by the JSON Schema. */
export interface Setting {
  /** The full key, such as `permissions.mode`. */
  readonly key: string
  readonly about: string
  /** The form of its value: a string, a list of strings, or JSON. */
  readonly kind: 'text' | 'list' | 'json'
}

/**
 * All settings that can be set. `members` adds the members of objects, such as
 * `limits.maxIterations`.
 */
export function allSettings({ members = false }: { readonly members?: boolean } = {}): Setting[] {
  return settingsIn(SCHEMA, '')

  function settingsIn({ properties = {} }: SettingSchema, before: string): Setting[] {
    return Object.entries(properties).flatMap(([name, schema]) => {
      if (schema === false) return []
      const { type, enum: words, anyOf, description = '' } = schema
      const key = `${before}${name}`
      // Objects whose members are set individually.
      const isGroup = schema === PERMISSIONS || (before !== '' && schema.properties)
      if (isGroup) return settingsIn(schema, `${key}.`)
      const isSettable = key !== '$schema' && (type || words || anyOf)
      if (!isSettable || description.startsWith('An alias of ')) return []
      const isJson = anyOf || (type && JSON_TYPES.has(type))
      return [
        { key, about: description, kind: type === 'array' ? 'list' : isJson ? 'json' : 'text' },
        ...(members ? settingsIn(schema, `${key}.`) : []),
      ]
    })
  }
}

const JSON_TYPES: ReadonlySet<string> = new Set(['object', 'boolean', 'integer', 'number'])

/** The setting with this key. Throws a UserError if it does not exist. */
export function findSetting(name: string): Setting {
  const all = allSettings({ members: true })
  const found = all.find(({ key }) => key === name)
  if (found) return found
  const keys = allSettings().map(({ key }) => key)
  throw new UserError(
    'usage',
    unknownName(
      'setting',
      name,
      keys,
      all.map(({ key }) => key),
    ),
  )
}
