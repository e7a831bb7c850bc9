import { nearest } from '@toolglot/permissions/internal'
import { validModelName } from '../local-server.ts'
import { providers } from '../providers.ts'
import { localServers } from '../servers/index.ts'
import { invalidReference } from './kind.ts'
import { plainLine } from '../../plain-line.ts'

/** A model and its server or provider, as in `ollama/qwen3:8b`. */
interface NamedModel {
  readonly provider: string
  readonly model: string
  readonly reference: string
}

/** Parses such a reference. Throws a TypeError that explains the problem. */
export function namedModel(given: string): NamedModel {
  const slash = given.indexOf('/')
  const provider = slash < 0 ? '' : given.slice(0, slash)
  const model = validModelName(given.slice(slash + 1))
  if (IDS.includes(provider) && model !== undefined)
    return { provider, model, reference: `${provider}/${model}` }
  throw invalidReference(given, adviceFor(given, provider, model))
}

function adviceFor(given: string, provider: string, model: string | undefined): string {
  if (IDS.includes(provider)) return `Add a valid model name after ${provider}/`
  if (IDS.includes(given)) return `Add a model name: ${given}/MODEL`
  if (provider === '' && model !== undefined && !given.includes('/'))
    return `Add the provider, such as ollama/${model} or openai/${model}`
  if (/\.gguf$/i.test(given)) return `For a file, write ./${given}`
  const [similar] = nearest(provider, IDS)
  return similar
    ? `Did you mean ${similar}/${given.slice(given.indexOf('/') + 1)}?`
    : `The part before the slash must be one of ${IDS.join(', ')}. A model can also be a URL (http://127.0.0.1:8080/v1#name) or a file (./qwen.gguf)`
}

const IDS = [...localServers, ...providers].map(({ id }) => id)

/** The error message for a model that a server does not have. Suggests a similar name. */
export function unknownModel(server: string, named: string, models: readonly string[]): string {
  const close = closestName(named, models)
  const has = models.slice(0, MAX_SHOWN).join(', ')
  const more = models.length > MAX_SHOWN ? ` and ${models.length - MAX_SHOWN} more` : ''
  const advice = close === undefined ? `It has ${has}${more}.` : `Did you mean ${close}?`
  return plainLine(`${server} has no model ${named}. ${advice}`, 1000)
}

const MAX_SHOWN = 10

/**
 * The name most similar to a misspelled, shortened or partial one, such as `qwen3:8b` for `qwen3`.
 */
export function closestName(named: string, names: readonly string[]): string | undefined {
  const [close] = nearest(named, names)
  const part = named.toLowerCase()
  if (close !== undefined || part.length < 3) return close
  return (
    names.find((name) => name.toLowerCase().startsWith(part)) ??
    names.find((name) => name.toLowerCase().includes(part))
  )
}
