import { type Field, numberField } from './fields.ts'
import type { SettingsKey } from './key.ts'
import { plainKey } from './plain.ts'

/** How random replies are. */
export const temperatureField: Field = numberField(0, 2)

/** The temperature of every request that sets none. */
export const temperature: SettingsKey<number> = plainKey('temperature', temperatureField)
