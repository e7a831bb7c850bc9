import { nearest } from '@toolglot/permissions/internal'
import { readFileSync } from 'node:fs'
import { UserError } from '../user-error.ts'
import { quote } from '../visible.ts'

/** A setting, as the JSON Schema describes it. */
export interface Setting {
  /** For example `permissions.mode`. */
  readonly key: string
  readonly about: string
  /** How its value is written: one string, a list of strings, or JSON. */
  readonly kind: 'text' | 'list' | 'json'
}

/** The JSON Schema of settings, as text. */
export function settingsSchema(): string {
  return readFileSync(new URL('../../settings.schema.json', import.meta.url), 'utf8')
}

/** All settings that can be set. With `members`, also the members of those that are objects: `limits.maxIterations`. */
export function allSettings({ members = false }: { readonly members?: boolean } = {}): Setting[] {
  const schema = JSON.parse(settingsSchema()) as Schema
  return settingsIn(schema, '')

  function settingsIn({ properties = {} }: Schema, before: string): Setting[] {
    return Object.entries(properties).flatMap(([name, given]) => {
      const named = schema.$defs?.[given.$ref?.replace('#/$defs/', '') ?? ''] ?? {}
      const { type, enum: words, anyOf } = { ...named, ...given }
      const about = given.description ?? named.description ?? ''
      const key = `${before}${name}`
      if (given.properties) return settingsIn(given, `${key}.`)
      // An alias of another setting, or one without any effect.
      if (key === '$schema' || (!type && !words && !anyOf)) return []
      if (about.startsWith('An alias of ')) return []
      return [
        {
          key,
          about,
          kind: type === 'array' ? 'list' : JSON_TYPES.includes(type) || anyOf ? 'json' : 'text',
        },
        ...(members ? settingsIn(named, `${key}.`) : []),
      ]
    })
  }
}

const JSON_TYPES: readonly unknown[] = ['object', 'boolean', 'integer', 'number']

/** The setting with this key. Throws a UserError if there is none. */
export function findSetting(name: string): Setting {
  const all = allSettings({ members: true })
  const found = all.find(({ key }) => key === name)
  if (found) return found
  const keys = all.map(({ key }) => key)
  const [meant] = nearest(name, keys)
  throw new UserError('usage', {
    expected: 'a setting',
    got: quote(name),
    advice: meant
      ? `did you mean ${meant}?`
      : `use one of ${allSettings()
          .map(({ key }) => key)
          .join(', ')}`,
  })
}

interface Schema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly $ref?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly $defs?: Readonly<Record<string, Schema>>
}
