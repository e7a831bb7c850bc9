import { describe } from '../item.ts'
import type { SettingsKey } from './key.ts'

/** A key whose value is a string. */
export function textKey(key: string, example: string): SettingsKey<string> {
  return {
    key,
    read(item, wrong) {
      const value = item.kind === 'plain' ? item.value : undefined
      if (typeof value === 'string' && value.trim() !== '') return value
      wrong(item.line, `expected a string in "${key}", such as ${example}, got ${describe(item)}`)
      return undefined
    },
  }
}
