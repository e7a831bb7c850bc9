import type { Limits } from '@toolglot/agent'
import { type Field, integerField, plainField, readFields } from './fields.ts'
import { OWN_SCOPES, type SettingsKey, type SettingValue, settingValues } from './key.ts'

/** The limits of every run that sets no others. A cloned folder cannot make runs longer or dearer. */
export const limits: SettingsKey<Partial<Limits>> = {
  key: 'limits',
  scopes: OWN_SCOPES,
  // Every member was read with its own type.
  read: (item, wrong) => readFields(item, 'limits', FIELDS, wrong) as Partial<Limits> | undefined,
}

/** The limits that settings name. Each comes from the strongest scope that has it. */
export function limitSettings(settings: {
  readonly values: readonly SettingValue[]
}): Partial<Limits> {
  const all = settingValues(settings, limits).map(({ value }) => value)
  return Object.assign({}, ...all.reverse()) as Partial<Limits>
}

const count = integerField(1, 1_000_000)
/** In milliseconds; timers know no longer time. */
const time = integerField(1, 2 ** 31 - 1)

const FIELDS: Readonly<Record<keyof Limits, Field>> = {
  maxIterations: count,
  maxToolCalls: count,
  maxCallsPerTurn: count,
  maxMalformed: count,
  maxEmpty: count,
  maxRepeats: count,
  maxRetries: integerField(0, 100),
  runTimeout: time,
  modelTimeout: time,
  idleTimeout: time,
  toolTimeout: time,
  approvalTimeout: time,
  maxTokens: integerField(1),
  maxCost: plainField(
    'a number above 0',
    (value) => typeof value === 'number' && value > 0 && value < Infinity,
  ),
  maxReply: integerField(1, 16 << 20),
  maxResult: count,
}
