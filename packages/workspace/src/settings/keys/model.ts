import { describe } from '../item.ts'
import { TEXTS, OWN_SCOPES, type SettingsKey } from './key.ts'
import {
  about,
  integerField,
  numberField,
  patternField,
  plainField,
  plainKey,
  textField,
} from './fields.ts'

/** The default model. */
export const model: SettingsKey<string> = plainKey(
  'model',
  about('The default model, such as "ollama/qwen3:8b".', {
    ...textField,
    expected: 'a string such as "ollama/qwen3:8b"',
  }),
)

/**
 * The size of the context to use with models, in tokens. It determines memory usage, so a cloned
 * folder cannot set it.
 */
export const context: SettingsKey<number> = plainKey(
  'context',
  about(
    'The size of the context to use, in tokens, such as 8192. Ollama and model files are loaded with it, as far as the model allows. Other servers have a fixed size, of which at most this much is used.',
    // The minimum is enough for a question and an answer.
    integerField(512, 16_777_216),
  ),
  OWN_SCOPES,
)

/** The default temperature of requests. */
export const temperature: SettingsKey<number> = plainKey(
  'temperature',
  about(
    'The randomness of replies, from 0 to 2. Default: chosen by the server.',
    numberField(0, 2),
  ),
)

const LEVELS: readonly unknown[] = ['low', 'medium', 'high']

/** Turns thinking before answers on or off, or sets its amount, on servers that support this. */
export const thinking: SettingsKey<boolean | 'low' | 'medium' | 'high'> = plainKey(
  'thinking',
  about(
    'Turns thinking before answers on or off, or sets its amount. Supported by Ollama. Default: chosen by the model.',
    plainField(
      'true, false, "low", "medium" or "high"',
      { anyOf: [{ type: 'boolean' }, { enum: LEVELS }] },
      (value) => typeof value === 'boolean' || LEVELS.includes(value),
    ),
  ),
)

/**
 * The time to keep a model in memory after a reply, on servers that support this: `10m`, `1h`, or
 * `-1` for unlimited.
 */
export const keepAlive: SettingsKey<string> = plainKey(
  'keepAlive',
  about(
    'The time to keep a model in memory after a reply, such as "10m", or "-1" for unlimited. Supported by Ollama. Default: Ollama\'s setting.',
    patternField(
      'a time such as "10m" or "1h", or "-1" for unlimited',
      /^(-1|0|(\d{1,6}(\.\d{1,3})?(ms|s|m|h)){1,3})$/,
    ),
  ),
  OWN_SCOPES,
)

/** The paid providers that the user has agreed to use. */
export const paidProviders: SettingsKey<readonly string[]> = {
  key: 'paidProviders',
  schema: {
    description:
      'Providers whose paid models can be used, such as ["openai"]. Toolglot asks once for each provider.',
    ...TEXTS,
  },
  scopes: OWN_SCOPES,
  read(item, wrong) {
    const names = item.kind === 'list' ? item.items.map((each) => textField.read(each, wrong)) : []
    // Checked by the field.
    if (item.kind === 'list' && !names.includes(undefined)) return names as string[]
    const bad = (item.kind === 'list' && item.items[names.indexOf(undefined)]) || item
    const but = bad === item ? 'not' : 'and cannot contain'
    wrong(
      bad.line,
      `"paidProviders" must be a list of providers, such as ["openai"], ${but} ${describe(bad)}`,
    )
    return undefined
  },
}
