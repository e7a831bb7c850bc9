import { nearest } from '@toolglot/permissions/internal'
import { validModelName } from '../found-model.ts'
import { providers } from '../providers.ts'
import { localServers } from '../servers/index.ts'
import { invalidReference } from './invalid-reference.ts'

/** A model that is named by its server or provider, such as `ollama/qwen3:8b`. */
export interface NamedModel {
  readonly provider: string
  readonly model: string
  readonly reference: string
}

/** Reads such a name. Throws a TypeError that explains what is wrong with it. */
export function namedModel(given: string): NamedModel {
  const slash = given.indexOf('/')
  const provider = slash < 0 ? '' : given.slice(0, slash)
  const model = validModelName(given.slice(slash + 1))
  if (IDS.includes(provider) && model !== undefined)
    return { provider, model, reference: `${provider}/${model}` }
  throw invalidReference(given, adviceFor(given, provider, model))
}

function adviceFor(given: string, provider: string, model: string | undefined): string {
  if (IDS.includes(provider)) return `add a valid model name after ${provider}/`
  if (IDS.includes(given)) return `add a model name: ${given}/MODEL`
  if (provider === '' && model !== undefined && !given.includes('/'))
    return `add the provider, such as ollama/${model} or openai/${model}`
  if (/\.gguf$/i.test(given)) return `for a file, write ./${given}`
  const [similar] = nearest(provider, IDS)
  return similar
    ? `did you mean ${similar}/${given.slice(given.indexOf('/') + 1)}?`
    : `the part before the slash must be one of ${IDS.join(', ')}`
}

const IDS = [...localServers, ...providers].map(({ id }) => id)
