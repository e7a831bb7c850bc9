import { plainField } from './fields.ts'
import type { SettingsKey } from './key.ts'
import { plainKey } from './plain.ts'

const LEVELS: readonly unknown[] = ['low', 'medium', 'high']

/** Whether models think before they answer, or how much, where their server can be told. */
export const thinking: SettingsKey<boolean | 'low' | 'medium' | 'high'> = plainKey(
  'thinking',
  plainField(
    'true, false, "low", "medium" or "high"',
    (value) => typeof value === 'boolean' || LEVELS.includes(value),
  ),
)
