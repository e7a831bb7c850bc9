/** What every field may have: texts of the schema, which anybody may have written. */
interface About {
  readonly title?: string
  readonly description?: string
  /** What counts if nothing is given, as JSON. It is shown, never filled in. */
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
export interface BooleanField extends About {
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
  /** What other names may hold; undefined if there must be none. */
  readonly others: Field | undefined
  /** How many properties are only in the JSON, because there are too many. */
  readonly left: number
}

/** A list. */
export interface ListField extends About {
  readonly kind: 'list'
  /** What the first items are. */
  readonly first: readonly Field[]
  /** What the items after those are; undefined if there must be none. */
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
