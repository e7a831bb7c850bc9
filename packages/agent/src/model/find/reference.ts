import { nearest } from '@toolglot/permissions/internal'
import { plainLine } from '../plain-line.ts'
import { hideKeys } from '../../result/hide-keys.ts'
import { modelName } from './found-model.ts'
import { providers } from './providers.ts'
import { localServers } from './servers/index.ts'

/** Which model, as text: `ollama/qwen3:8b`, `openai/gpt-5-mini` or `http://host:port/v1#name`. */
export type Reference =
  | { readonly provider: string; readonly model: string }
  | { readonly url: string; readonly model: string }

/** Reads a reference; throws a TypeError that says what is wrong with it. */
export function parseReference(text: string): Reference {
  const given = text.trim()
  if (/^https?:\/\//i.test(given)) return urlReference(given)
  const slash = given.indexOf('/')
  const provider = slash < 0 ? '' : given.slice(0, slash)
  const model = modelName(given.slice(slash + 1))
  if (IDS.includes(provider) && model !== undefined) return { provider, model }
  if (IDS.includes(provider)) throw wrong(given, `name a model behind ${provider}/`)
  if (IDS.includes(given)) throw wrong(given, `name a model too: ${given}/MODEL`)
  if (slash < 0 && model !== undefined)
    throw wrong(given, `say where it is, such as ollama/${model} or openai/${model}`)
  const [meant] = nearest(provider, IDS)
  const advice = meant
    ? `did you mean ${meant}/${given.slice(slash + 1)}?`
    : `before the slash is one of ${IDS.join(', ')}`
  throw wrong(given, advice)
}

export function printReference(reference: Reference): string {
  const { model } = reference
  return 'url' in reference ? `${reference.url}#${model}` : `${reference.provider}/${model}`
}

const IDS = [...localServers, ...providers].map(({ id }) => id)

function urlReference(given: string): Reference {
  const hash = given.indexOf('#')
  const url = hash < 0 ? given : given.slice(0, hash)
  const model = hash < 0 ? undefined : modelName(given.slice(hash + 1))
  if (!URL.canParse(url)) throw wrong(given, 'check the URL')
  const { username, password } = new URL(url)
  if (username || password) {
    throw new TypeError(
      'expected a URL without a name or password in it: set TOOLGLOT_API_KEY instead',
    )
  }
  if (model === undefined) throw wrong(given, 'name the model behind a #')
  return { url, model }
}

function wrong(given: string, advice: string): TypeError {
  return new TypeError(
    `expected a model, such as ollama/qwen3:8b or http://127.0.0.1:8080/v1#name, got '${plainLine(hideKeys(given), 80)}': ${plainLine(hideKeys(advice))}`,
  )
}
