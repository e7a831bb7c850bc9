import type { Limits } from '@toolglot/agent'
import { about, type Field, fieldsSchema, integerField, plainField, readFields } from './fields.ts'
import { OWN_SCOPES, type SettingsKey, type SettingValue, settingValues } from './key.ts'

const count = integerField(1, 1_000_000)
/** A time in milliseconds, up to the maximum of timers. */
const time = integerField(1, 2 ** 31 - 1)

const FIELDS: Readonly<Record<keyof Limits, Field>> = {
  maxIterations: about('The maximum number of turns. Default: 25.', count),
  maxToolCalls: about('The maximum number of calls. Default: 100.', count),
  maxCallsPerTurn: about('The maximum number of calls to run per turn. Default: 16.', count),
  maxMalformed: about(
    'The number of consecutive turns with malformed calls that ends the run. Default: 3.',
    count,
  ),
  maxEmpty: about('The maximum number of consecutive empty replies. Default: 2.', count),
  maxRepeats: about(
    'The number of consecutive repeated calls that ends the run. Default: 3.',
    count,
  ),
  maxRetries: about(
    'The maximum number of retries if a model is busy. Default: 4.',
    integerField(0, 100),
  ),
  runTimeout: about('The maximum time for the whole run. Default: no limit.', time),
  modelTimeout: about(
    'The maximum time for a reply, from the request to its end. Default: no limit.',
    time,
  ),
  idleTimeout: about(
    'The maximum time without output in the middle of a reply. Default: one minute.',
    time,
  ),
  toolTimeout: about('The timeout of tools that do not have their own. Default: 2 minutes.', time),
  approvalTimeout: about(
    'The maximum time to wait for an approval. After that, the call is denied. Default: no limit.',
    time,
  ),
  maxTokens: about(
    'The maximum number of tokens of all turns together. Default: no limit.',
    integerField(1),
  ),
  maxCost: about(
    "The maximum cost of all turns together, in the currency of the model's price. Default: no limit.",
    plainField(
      'a number above 0',
      { type: 'number', exclusiveMinimum: 0 },
      (value) => typeof value === 'number' && value > 0 && value < Infinity,
    ),
  ),
  maxReply: about(
    'The maximum length of a reply, in characters. Default: 2097152.',
    integerField(1, 16 << 20),
  ),
  maxResult: about(
    'The maximum length of a result, in characters. The model can read the rest later. Default: 50000.',
    count,
  ),
}

/** The default limits of runs. A cloned folder must not make runs longer or more expensive. */
export const limits: SettingsKey<Partial<Limits>> = {
  key: 'limits',
  schema: fieldsSchema(FIELDS, {
    description: 'The default limits of runs. Times are in milliseconds.',
  }),
  scopes: OWN_SCOPES,
  // Each member was read with its own type.
  read: (item, wrong) => readFields(item, 'limits', FIELDS, wrong) as Partial<Limits> | undefined,
}

/** The limits in the settings. Each comes from the strongest scope that contains it. */
export function limitSettings(settings: {
  readonly values: readonly SettingValue[]
}): Partial<Limits> {
  const all = settingValues(settings, limits).map(({ value }) => value)
  return Object.assign({}, ...all.reverse()) as Partial<Limits>
}
