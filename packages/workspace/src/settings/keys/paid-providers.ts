import { describe } from '../item.ts'
import { OWN_SCOPES, type SettingsKey } from './key.ts'

/** The paid providers that a person agreed to use. */
export const paidProviders: SettingsKey<readonly string[]> = {
  key: 'paidProviders',
  scopes: OWN_SCOPES,
  read(item, wrong) {
    const items = item.kind === 'list' ? item.items : [item]
    const bad =
      item.kind === 'list'
        ? items.find((each) => each.kind !== 'plain' || !isName(each.value))
        : item
    if (!bad) return items.flatMap((each) => (each.kind === 'plain' ? [String(each.value)] : []))
    wrong(
      bad.line,
      `expected a list of providers in "paidProviders", such as ["openai"], got ${describe(bad)}`,
    )
    return undefined
  },
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== ''
}
