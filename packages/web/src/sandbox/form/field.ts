import { spellUnseen } from '../../ui/unseen.ts'
import type { Translate } from '../../words/words.ts'

/** The texts of the schema that every field may have. Anybody may have written them. */
interface About {
  readonly title?: string
  readonly description?: string
  /** The default, as JSON. It is shown, never filled in. */
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

/** Yes or no. */
interface BooleanField extends About {
  readonly kind: 'boolean'
}

/** One of some values. */
export interface FixedField extends About {
  readonly kind: 'fixed'
  readonly values: readonly unknown[]
}

/** A named part of an object. */
export interface Property {
  readonly name: string
  readonly field: Field
  readonly isRequired: boolean
}

/** Named values. */
export interface ObjectField extends About {
  readonly kind: 'object'
  readonly properties: readonly Property[]
  /** The field of other properties; undefined if there must be none. */
  readonly others: Field | undefined
  /** How many properties are only in the JSON, because there are too many. */
  readonly left: number
}

/** A list. */
export interface ListField extends About {
  readonly kind: 'list'
  /** The fields of the first items. */
  readonly first: readonly Field[]
  /** The field of the items after those; undefined if there must be none. */
  readonly items: Field | undefined
  readonly minItems?: number
  readonly maxItems?: number
}

/** One of several kinds of values. */
export interface ChoiceField extends About {
  readonly kind: 'choice'
  readonly choices: readonly Field[]
}

/** Anything: it is written as JSON. */
export interface AnyField extends About {
  readonly kind: 'any'
}

/** A place for a value in the form. A tree of them is always small, whatever the schema is. */
export type Field =
  | TextField
  | NumberField
  | BooleanField
  | FixedField
  | ObjectField
  | ListField
  | ChoiceField
  | AnyField

/** The type of a field, in the words of JSON Schema. */
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

/** One of several kinds of values, in a word or two. */
export function choiceText(field: Field, t: Translate): string {
  const { title } = field
  if (title !== undefined) return spellUnseen(title.slice(0, 40))
  return kindText(field, t)
}

/** A fixed value as it is offered. */
export function valueText(value: unknown): string {
  const isPlain = typeof value === 'string' && value.trim() === value && value !== ''
  return spellUnseen(isPlain ? value : JSON.stringify(value))
}
