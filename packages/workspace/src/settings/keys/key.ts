import type { RuleScope, RuleSource } from '@toolglot/permissions'
import type { Item } from '../item.ts'

/**
 * A top-level key of settings other than permissions. In a folder's settings, it has no effect
 * until the user trusts the folder.
 */
export interface SettingsKey<Value> {
  readonly key: string
  /**
   * The key's entry in settings.schema.json. The description also lists the scopes to which the key
   * applies: see `describeKey`.
   */
  readonly schema: SettingSchema
  /** The scopes in which it is read. Default: all. */
  readonly scopes?: readonly RuleScope[]
  /** The values are lists of code files, whose contents are covered by the trust in a folder. */
  readonly namesCode?: true
  /**
   * The programs that a value starts without a sandbox. Files in their command lines also count as
   * code.
   */
  starts?(value: Value): readonly StartedProgram[]
  /**
   * Reads the value. If it is invalid, reports the reason and returns undefined or a safe value.
   */
  read(
    item: Item,
    wrong: (line: number, reason: string) => void,
    scope: RuleScope,
  ): Value | undefined
  /**
   * Splits a value into a part that only forbids and a part that grants permissions. The first part
   * applies even if the folder is not trusted or its file has errors. Default: the whole value
   * grants permissions.
   */
  split?(value: Value): { readonly forbids?: Value; readonly grants?: Value }
}

/** A program started by settings. */
interface StartedProgram {
  /** The program's name or path, followed by its arguments. */
  readonly words: readonly string[]
  /** The working directory. Default: the folder of the settings, or else the workspace. */
  readonly cwd?: string | undefined
}

/** The value of a key in one settings file. */
export interface SettingValue<Value = unknown> {
  readonly key: string
  readonly value: Value
  readonly source: RuleSource
}

/** The values of a key, strongest scope first. */
export function settingValues<Value>(
  { values }: { readonly values: readonly SettingValue[] },
  { key }: SettingsKey<Value>,
): readonly SettingValue<Value>[] {
  // The values with this key were created by its own reader.
  return values.filter((each) => each.key === key) as readonly SettingValue<Value>[]
}

/** The scopes that only the user or the administrator can write. */
export const OWN_SCOPES: readonly RuleScope[] = ['managed', 'cli', 'user']

export const IF_TRUSTED = 'In a project, this applies only if you trust the folder.'

/** The schema of a key, including the files in which it has an effect. */
export function describeKey(key: SettingsKey<unknown>): SettingSchema {
  // The description of a split key explains which part requires trust.
  const where = key.scopes ? 'Applies only in your own settings.' : key.split ? '' : IF_TRUSTED
  return { ...key.schema, description: `${key.schema.description ?? ''} ${where}`.trim() }
}

/** The part of JSON Schema used for settings. */
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

/** A string that contains more than white space. */
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

/** An object with only these members. */
export function objectSchema(
  properties: Readonly<Record<string, SettingSchema>>,
  rest: SettingSchema = {},
): SettingSchema {
  return { type: 'object', additionalProperties: false, ...rest, properties }
}
