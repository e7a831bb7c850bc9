import { describe } from '../item.ts'
import { OWN_SCOPES, type SettingsKey } from './key.ts'

/** Whether writing a file that commands load asks first. */
export const commandFiles: SettingsKey<'ask' | 'allow'> = {
  key: 'commandFiles',
  scopes: OWN_SCOPES,
  read(item, wrong) {
    const value = item.kind === 'plain' ? item.value : undefined
    if (value === 'ask' || value === 'allow') return value
    wrong(item.line, `expected "ask" or "allow" in "commandFiles", got ${describe(item)}`)
    return undefined
  },
}
