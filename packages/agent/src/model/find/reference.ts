import { nearest } from '@toolglot/permissions/internal'
import { plainLine } from '../plain-line.ts'
import { hideKeys } from '../../result/hide-keys.ts'
import { validModelName } from './found-model.ts'
import { providers } from './providers.ts'
import { localServers } from './servers/index.ts'

/** A parsed model reference: `ollama/qwen3:8b`, `openai/gpt-5-mini` or `http://host:port/v1#name`. */
export type Reference =
  | { readonly provider: string; readonly model: string }
  | { readonly url: string; readonly model: string }

/** Parses a model reference. Throws a TypeError that explains what is wrong with it. */
export function parseReference(text: string): Reference {
  const given = text.trim()
  if (/^https?:\/\//i.test(given)) return urlReference(given)
  const slash = given.indexOf('/')
  const provider = slash < 0 ? '' : given.slice(0, slash)
  const model = validModelName(given.slice(slash + 1))
  if (IDS.includes(provider) && model !== undefined) return { provider, model }
  if (IDS.includes(provider)) throw invalid(given, `add a valid model name after ${provider}/`)
  if (IDS.includes(given)) throw invalid(given, `add a model name: ${given}/MODEL`)
  if (slash < 0 && model !== undefined)
    throw invalid(given, `add the provider, such as ollama/${model} or openai/${model}`)
  const [similar] = nearest(provider, IDS)
  const advice = similar
    ? `did you mean ${similar}/${given.slice(slash + 1)}?`
    : `the part before the slash must be one of ${IDS.join(', ')}`
  throw invalid(given, advice)
}

/** Prints a model reference, so that `parseReference` reads it. */
export function printReference(reference: Reference): string {
  const { model } = reference
  return 'url' in reference ? `${reference.url}#${model}` : `${reference.provider}/${model}`
}

const IDS = [...localServers, ...providers].map(({ id }) => id)

function urlReference(given: string): Reference {
  const hash = given.indexOf('#')
  const url = hash < 0 ? given : given.slice(0, hash)
  const model = hash < 0 ? undefined : validModelName(given.slice(hash + 1))
  if (!URL.canParse(url)) throw invalid(given, 'check the URL')
  const { username, password } = new URL(url)
  if (username || password) {
    throw new TypeError(
      'expected a URL without a username or password: set TOOLGLOT_API_KEY instead',
    )
  }
  if (model === undefined) throw invalid(given, 'add #MODEL at the end of the URL')
  return { url, model }
}

function invalid(given: string, advice: string): TypeError {
  return new TypeError(
    `expected a model, such as ollama/qwen3:8b or http://127.0.0.1:8080/v1#name, got '${plainLine(hideKeys(given), 80)}': ${plainLine(hideKeys(advice))}`,
  )
}
