import { type Protocol, type ProtocolId, protocols } from '@toolglot/core'
import { nearest } from '@toolglot/permissions/internal'
import { describe, mustBe, show } from '../item.ts'
import { TEXT, OWN_SCOPES, type SettingsKey, type SettingValue, settingValues } from './key.ts'

/** The best formats for calls by model reference: the id of a protocol, or `native`. */
export type ModelProtocols = Readonly<Record<string, ProtocolId | 'native'>>

/**
 * The results of `toolglot doctor --probe`. A cloned folder must not choose how a user's models are
 * prompted.
 */
export const modelProtocols: SettingsKey<ModelProtocols> = {
  key: 'modelProtocols',
  schema: {
    description:
      'The best format for calls by model: the id of a protocol or native, such as { "ollama/qwen3:8b": "hermes" }. toolglot doctor --probe writes it.',
    type: 'object',
    additionalProperties: TEXT,
  },
  scopes: OWN_SCOPES,
  read(item, wrong) {
    if (item.kind !== 'map') {
      wrong(
        item.line,
        `"modelProtocols" must map models to protocols, such as { "ollama/qwen3:8b": "hermes" }, not ${describe(item)}`,
      )
      return undefined
    }
    const found = new Map<string, ProtocolId | 'native'>()
    for (const { key, line, item: given } of item.entries) {
      const value = given.kind === 'plain' ? given.value : undefined
      if (found.has(key)) wrong(line, `${show(key)} is a duplicate key`)
      else if (typeof value === 'string' && isKnown(value)) found.set(key, value)
      else wrong(line, `${mustBe(key, EXPECTED, given)}${advice(value)}`)
    }
    return Object.fromEntries(found)
  },
}

/**
 * The best formats for calls, found by probing. Each comes from the strongest scope that contains
 * it.
 */
export function modelProtocolsIn(settings: {
  readonly values: readonly SettingValue[]
}): ModelProtocols {
  const all = settingValues(settings, modelProtocols).map(({ value }) => value)
  return Object.fromEntries(all.reverse().flatMap((each) => Object.entries(each)))
}

/** The saved format for a model, if any. */
export function savedProtocol(
  settings: { readonly values: readonly SettingValue[] },
  reference: string,
): Protocol | 'native' | undefined {
  const all = modelProtocolsIn(settings)
  const id = Object.hasOwn(all, reference) ? all[reference] : undefined
  return id === undefined || id === 'native' ? id : protocols[id]
}

const EXPECTED = 'the id of a protocol or "native"'

function isKnown(id: string): id is ProtocolId | 'native' {
  return id === 'native' || Object.hasOwn(protocols, id)
}

function advice(value: unknown): string {
  const [meant] = typeof value === 'string' ? nearest(value, Object.keys(protocols)) : []
  return meant === undefined ? '' : `. Did you mean ${show(meant)}?`
}
