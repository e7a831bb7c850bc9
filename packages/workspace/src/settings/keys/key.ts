import type { RuleScope, RuleSource } from '@toolglot/permissions'
import type { Item } from '../item.ts'

/**
 * A top-level key of settings that is not about permissions. In settings that come with a folder, it has an effect only
 * after a person trusted the folder.
 */
export interface SettingsKey<Value> {
  readonly key: string
  /** Its entry in settings.schema.json. The description there also says where the key applies: see `describeKey`. */
  readonly schema: SettingSchema
  /** Where it is read from. Default: everywhere. */
  readonly scopes?: readonly RuleScope[]
  /** Its values are lists of files whose code is loaded: their content is part of what a person trusts. */
  readonly namesCode?: true
  /** The programs that are started because of a value, without a sandbox: files that their words name are code, too. */
  starts?(value: Value): readonly StartedProgram[]
  /** Reads the value. If it is invalid, reports why, and returns undefined or what is safe. */
  read(
    item: Item,
    wrong: (line: number, reason: string) => void,
    scope: RuleScope,
  ): Value | undefined
  /**
   * Splits a value into what only forbids, which counts even if the folder is not trusted or its file has errors, and what
   * grants something. Default: all of it grants.
   */
  split?(value: Value): { readonly forbids?: Value; readonly grants?: Value }
}

/** A program that settings start. */
interface StartedProgram {
  /** Its name or path, and its arguments. */
  readonly words: readonly string[]
  /** The folder it is started in. Default: the one that the settings belong to, or the workspace. */
  readonly cwd?: string | undefined
}

/** The value of a key in one settings file. */
export interface SettingValue<Value = unknown> {
  readonly key: string
  readonly value: Value
  readonly source: RuleSource
}

/** The values of a key, the strongest scope first. */
export function settingValues<Value>(
  { values }: { readonly values: readonly SettingValue[] },
  { key }: SettingsKey<Value>,
): readonly SettingValue<Value>[] {
  // Only the key's own reader made these values.
  return values.filter((each) => each.key === key) as readonly SettingValue<Value>[]
}

/** The scopes that no stranger writes. */
export const OWN_SCOPES: readonly RuleScope[] = ['managed', 'cli', 'user']

export const IF_TRUSTED = 'In a project, this applies only if you trust the folder.'

/** The schema of a key, with the files in which it has an effect. */
export function describeKey(key: SettingsKey<unknown>): SettingSchema {
  // A key that is split says itself which part of it needs trust.
  const where = key.scopes ? 'Applies only in your own settings.' : key.split ? '' : IF_TRUSTED
  return { ...key.schema, description: `${key.schema.description ?? ''} ${where}`.trim() }
}

/** The part of JSON Schema that describes settings. */
export interface SettingSchema {
  readonly title?: string
  readonly description?: string
  readonly type?: 'object' | 'array' | 'string' | 'boolean' | 'integer' | 'number'
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly SettingSchema[]
  readonly oneOf?: readonly SettingSchema[]
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly minItems?: number
  readonly items?: SettingSchema
  readonly minProperties?: number
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, SettingSchema | false>>
  readonly propertyNames?: SettingSchema
  readonly additionalProperties?: boolean | SettingSchema
  readonly dependentSchemas?: Readonly<Record<string, SettingSchema>>
}

/** A string that is more than whitespace. */
export const TEXT: SettingSchema = { type: 'string', pattern: '\\S' }

export const TEXTS: SettingSchema = { type: 'array', items: TEXT }

export const PATHS: SettingSchema = {
  type: 'array',
  items: {
    description:
      'Relative to the folder that the settings belong to, or to your home folder if it starts with ~/.',
    ...TEXT,
  },
}

/** An object without other members than these. */
export function objectSchema(
  properties: Readonly<Record<string, SettingSchema>>,
  rest: SettingSchema = {},
): SettingSchema {
  return { type: 'object', additionalProperties: false, ...rest, properties }
}
