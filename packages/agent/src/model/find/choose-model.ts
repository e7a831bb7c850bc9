import { protocolOf } from '../protocol-of.ts'
import type { FoundModels, FoundServer } from './find-models.ts'
import type { FoundModel } from './found-model.ts'
import { providers } from './providers.ts'
import { parseReference, printReference } from './reference.ts'

/** Which model is used, and why, in words. */
export type ModelChoice =
  | {
      readonly reference: string
      readonly why: string
      /** It costs money, and nobody said yes to this provider yet: ask first. */
      readonly costs?: { readonly provider: string; readonly name: string }
    }
  | { readonly reference: undefined; readonly why: string }

/**
 * Chooses among what was found: what TOOLGLOT_MODEL names, the saved default, what runs on this machine, then keys in the
 * environment. A person who named a model that costs money said yes; a folder's settings and a key that lies about did not.
 */
export function chooseModel(
  { named, saved, servers, keys }: FoundModels,
  { paid = [] }: { readonly paid?: readonly string[] } = {},
): ModelChoice {
  if (named !== undefined) {
    return { reference: referenceIn(named, 'TOOLGLOT_MODEL'), why: 'TOOLGLOT_MODEL names it' }
  }
  if (saved) {
    const reference = referenceIn(saved.reference, `the ${saved.scope} settings`)
    const isOwn = saved.scope === 'user' || saved.scope === 'cli' || saved.scope === 'managed'
    const why = isOwn ? 'it is the default in your settings' : 'the settings of this folder name it'
    return { reference, why, ...(!isOwn && costs(reference, paid)) }
  }
  const running = servers.filter(({ status }) => status === 'running')
  const server = running.find(({ models }) => models.length > 0)
  if (server) return local(server)

  const [key] = [...keys].sort((a, b) => rank(b.provider, paid) - rank(a.provider, paid))
  if (key) {
    const reference = `${key.provider}/${key.usual}`
    const why = `no model runs on this machine, and ${key.variable} is set`
    return { reference, why, ...costs(reference, paid) }
  }
  const [empty] = running
  const why = empty
    ? `${empty.name} runs at ${empty.url} but has no model, and no API key is set`
    : `no server runs on this machine (${servers.map(({ name }) => name).join(', ')}), and no API key is set`
  return { reference: undefined, why }
}

function local({ id, name, url, models }: FoundServer): ModelChoice {
  const best = models.reduce((one, other) => (score(other) > score(one) ? other : one))
  const because = best.loaded ? ', and it is in memory' : ''
  const among = models.length > 1 ? ` with ${models.length} models` : ''
  return {
    reference: printReference({ provider: id, model: best.name }),
    why: `${name} runs at ${url}${among}${because}`,
  }
}

/** What is in memory answers soonest; what has a way to call tools is of more use. */
function score(model: FoundModel): number {
  const calls = protocolOf(model).protocol ? 2 : model.tools ? 1 : 0
  return (model.loaded ? 4 : 0) + calls
}

function rank(provider: string, paid: readonly string[]): number {
  return paid.includes(provider) ? 1 : 0
}

function costs(
  reference: string,
  paid: readonly string[],
): { readonly costs?: { readonly provider: string; readonly name: string } } {
  const provider = providers.find(({ id }) => reference.startsWith(`${id}/`))
  if (!provider || paid.includes(provider.id)) return {}
  return { costs: { provider: provider.id, name: provider.name } }
}

function referenceIn(text: string, where: string): string {
  try {
    return printReference(parseReference(text))
  } catch (error) {
    // Who wrote it is told where it stands.
    throw new TypeError(`${where}: ${error instanceof Error ? error.message : String(error)}`)
  }
}
