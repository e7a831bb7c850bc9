import { spellUnseen } from '../../ui/unseen.ts'
import type { Translate } from '../../words/words.ts'

/** The texts that any schema may have. They come from an untrusted server or tool. */
interface About {
  readonly title?: string
  readonly description?: string
  /** The default as JSON. It is shown but never filled in. */
  readonly defaultText?: string
}

/** A text. */
export interface TextField extends About {
  readonly kind: 'text'
  readonly format?: string
  readonly minLength?: number
  readonly maxLength?: number
}

/** A number. */
export interface NumberField extends About {
  readonly kind: 'number'
  readonly isInteger: boolean
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly multipleOf?: number
}

/** A boolean. */
interface BooleanField extends About {
  readonly kind: 'boolean'
}

/** One of a fixed set of values. */
export interface FixedField extends About {
  readonly kind: 'fixed'
  readonly values: readonly unknown[]
}

/** A named member of an object. */
export interface Property {
  readonly name: string
  readonly field: Field
  readonly isRequired: boolean
}

/** An object. */
export interface ObjectField extends About {
  readonly kind: 'object'
  readonly properties: readonly Property[]
  /** The field for additional properties; undefined if none are allowed. */
  readonly others: Field | undefined
  /** The number of properties omitted from the form, which can be edited only as JSON. */
  readonly left: number
}

/** A list. */
export interface ListField extends About {
  readonly kind: 'list'
  /** The fields of the first items, if they have their own schemas. */
  readonly first: readonly Field[]
  /** The field of the remaining items; undefined if none are allowed. */
  readonly items: Field | undefined
  readonly minItems?: number
  readonly maxItems?: number
}

/** A choice between several types of values. */
export interface ChoiceField extends About {
  readonly kind: 'choice'
  readonly choices: readonly Field[]
}

/** Any value, edited as JSON. */
export interface AnyField extends About {
  readonly kind: 'any'
}

/** A field of the form. The tree of fields is always small, whatever the schema. */
export type Field =
  | TextField
  | NumberField
  | BooleanField
  | FixedField
  | ObjectField
  | ListField
  | ChoiceField
  | AnyField

/** The type of a field, in the terms of JSON Schema. */
export function kindText(field: Field, t: Translate): string {
  switch (field.kind) {
    case 'text':
      return field.format === undefined
        ? 'string'
        : `string · ${spellUnseen(field.format.slice(0, 40))}`
    case 'number':
      return field.isInteger ? 'integer' : 'number'
    case 'boolean':
      return 'boolean'
    case 'fixed':
      return field.values.length === 1
        ? valueText(field.values[0])
        : t('sandbox.field.oneOf', { count: field.values.length })
    case 'object':
      return 'object'
    case 'list':
      return field.items && field.first.length === 0
        ? `array · ${kindText(field.items, t)}`
        : 'array'
    case 'choice':
      return t('sandbox.field.oneOf', { count: field.choices.length })
    case 'any':
      return 'JSON'
  }
}

/** A short label for one alternative of a choice. */
export function choiceText(field: Field, t: Translate): string {
  const { title } = field
  if (title !== undefined) return spellUnseen(title.slice(0, 40))
  return kindText(field, t)
}

/** The label of a fixed value. */
export function valueText(value: unknown): string {
  const isPlain = typeof value === 'string' && value.trim() === value && value !== ''
  return spellUnseen(isPlain ? value : JSON.stringify(value))
}
