import type { RuleScope } from '@toolglot/permissions'
import { describe } from '../item.ts'
import type { Field } from './fields.ts'
import type { SettingsKey } from './key.ts'

/** A key whose value is neither a list nor an object. */
export function plainKey<Value>(
  key: string,
  field: Field,
  scopes?: readonly RuleScope[],
): SettingsKey<Value> {
  return {
    key,
    ...(scopes && { scopes }),
    read(item, wrong) {
      const value = field.read(item, wrong)
      // The field checked it.
      if (value !== undefined) return value as Value
      wrong(item.line, `expected ${field.expected} in "${key}", got ${describe(item)}`)
      return undefined
    },
  }
}
