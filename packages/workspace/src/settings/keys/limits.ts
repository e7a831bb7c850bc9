import type { Limits } from '@toolglot/agent'
import { about, type Field, fieldsSchema, integerField, plainField, readFields } from './fields.ts'
import { OWN_SCOPES, type SettingsKey, type SettingValue, settingValues } from './key.ts'

const count = integerField(1, 1_000_000)
/** A time in milliseconds, up to the maximum of timers. */
const time = integerField(1, 2 ** 31 - 1)

const FIELDS: Readonly<Record<keyof Limits, Field>> = {
  maxIterations: about('How many turns the model may take. Default: 25.', count),
  maxToolCalls: about('How many calls may run. Default: 100.', count),
  maxCallsPerTurn: about('How many calls of one turn are run. Default: 16.', count),
  maxMalformed: about('How many turns in a row may have malformed calls. Default: 3.', count),
  maxEmpty: about('How many empty replies in a row are accepted. Default: 2.', count),
  maxRepeats: about('How many repeated calls in a row end the run. Default: 3.', count),
  maxRetries: about(
    'How often a model that is busy is asked again. Default: 4.',
    integerField(0, 100),
  ),
  runTimeout: about('For the whole run. Default: no limit.', time),
  modelTimeout: about('For one reply, from the request to its end. Default: no limit.', time),
  idleTimeout: about('The longest silence in the middle of a reply. Default: one minute.', time),
  toolTimeout: about('For a tool that has no timeout of its own. Default: 2 minutes.', time),
  approvalTimeout: about(
    'A call that is not approved within this time is denied. Default: it waits.',
    time,
  ),
  maxTokens: about('The tokens of all turns together. Default: no limit.', integerField(1)),
  maxCost: about(
    "The cost of all turns together, in the currency of the model's price. Default: no limit.",
    plainField(
      'a number above 0',
      { type: 'number', exclusiveMinimum: 0 },
      (value) => typeof value === 'number' && value > 0 && value < Infinity,
    ),
  ),
  maxReply: about(
    'The length of a reply, in characters. Default: 2097152.',
    integerField(1, 16 << 20),
  ),
  maxResult: about(
    'The length of a result, in characters. The rest can be read later. Default: 50000.',
    count,
  ),
}

/** The default limits of runs. A cloned folder must not make runs longer or more expensive. */
export const limits: SettingsKey<Partial<Limits>> = {
  key: 'limits',
  schema: fieldsSchema(FIELDS, {
    description: 'The limits of every run that sets no others. Times are in milliseconds.',
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
