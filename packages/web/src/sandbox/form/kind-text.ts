import { spellUnseen } from '../../ui/spell-unseen.ts'
import type { Translate } from '../../words/words.ts'
import type { Field } from './field.ts'

/** What a field takes, in the words of JSON Schema. */
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
