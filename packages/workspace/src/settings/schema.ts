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
