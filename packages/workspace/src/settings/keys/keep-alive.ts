import { plainField } from './fields.ts'
import { OWN_SCOPES, type SettingsKey } from './key.ts'
import { plainKey } from './plain.ts'

/** How long a model stays in memory after a reply, where its server can be told: `10m`, `1h`, or `-1` forever. */
export const keepAlive: SettingsKey<string> = plainKey(
  'keepAlive',
  plainField(
    'a time such as "10m" or "1h", or "-1" forever',
    (value) =>
      typeof value === 'string' && /^(-1|0|(\d{1,6}(\.\d{1,3})?(ms|s|m|h)){1,3})$/.test(value),
  ),
  OWN_SCOPES,
)
