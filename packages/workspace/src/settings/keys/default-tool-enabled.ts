import { describe } from '../item.ts'
import type { SettingsKey } from './key.ts'

/** Whether tools that no `toolToggles` names are offered. */
export const defaultToolEnabled: SettingsKey<boolean> = {
  key: 'defaultToolEnabled',
  read(item, wrong) {
    const value = item.kind === 'plain' ? item.value : undefined
    if (typeof value === 'boolean') return value
    wrong(item.line, `expected true or false in "defaultToolEnabled", got ${describe(item)}`)
    // Until it is fixed, nothing is offered that may have been meant to be off.
    return false
  },
  split: (value) => (value ? {} : { forbids: value }),
}
