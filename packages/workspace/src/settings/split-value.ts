import { settingsKeys } from './keys/index.ts'
import type { SettingValue } from './keys/key.ts'

/** Splits a value into what only forbids, which always counts, and what grants something, which takes trust. */
export function splitValue(each: SettingValue): {
  readonly forbids?: SettingValue
  readonly grants?: SettingValue
} {
  const key = settingsKeys.find(({ key: name }) => name === each.key)
  if (!key?.split) return { grants: each }
  const { forbids, grants } = key.split(each.value)
  return {
    forbids: forbids === undefined ? undefined : { ...each, value: forbids },
    grants: grants === undefined ? undefined : { ...each, value: grants },
  }
}
