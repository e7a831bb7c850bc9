import { protocolOf } from '../protocol-of.ts'
import type { FoundModels, FoundServer } from './find-models.ts'
import type { FoundModel } from './local-server.ts'
import { providers } from './providers.ts'
import { parseReference, type ReferenceOptions } from './connect-model.ts'

/** The chosen model, if any, and the reason for the choice. */
export type ModelChoice =
  | {
      readonly reference: string
      readonly why: string
      /** The provider charges money and the user has not consented yet, so ask first. */
      readonly costs?: { readonly provider: string; readonly name: string }
    }
  | { readonly reference: undefined; readonly why: string }

/**
 * Chooses a model: TOOLGLOT_MODEL first, then the saved default, local servers, and API keys in the
 * environment. A user who selects a paid model agrees to pay. A folder's settings or an existing
 * key do not count as consent.
 */
export function chooseModel(
  { named, saved, servers, keys }: FoundModels,
  {
    paid = [],
    found = { servers },
    ...place
  }: { readonly paid?: readonly string[] } & ReferenceOptions = {},
): ModelChoice {
  const names: ReferenceOptions = { ...place, found }
  if (named !== undefined) {
    return {
      reference: referenceIn(named, 'TOOLGLOT_MODEL', names),
      why: 'set by TOOLGLOT_MODEL',
    }
  }
  if (saved) {
    const reference = referenceIn(saved.reference, `the ${saved.scope} settings`, names)
    const isOwn = saved.scope === 'user' || saved.scope === 'cli' || saved.scope === 'managed'
    const why = isOwn
      ? 'the default in your settings'
      : 'the default in the settings of this folder'
    return { reference, why, ...(!isOwn && costs(reference, paid)) }
  }
  const running = servers.filter(({ status }) => status === 'running')
  const server = running.find(({ models }) => models.length > 0)
  if (server) return chooseLocal(server)

  const [key] = [...keys].sort((a, b) => rank(b.provider, paid) - rank(a.provider, paid))
  if (key) {
    const reference = `${key.provider}/${key.usual}`
    const why = `no model is running on this machine, and ${key.variable} is set`
    return { reference, why, ...costs(reference, paid) }
  }
  const [empty] = running
  const why = empty
    ? `${empty.name} is running at ${empty.url} but has no models, and no API key is set`
    : `no model server is running on this machine (${servers.map(({ name }) => name).join(', ')}), and no API key is set`
  const problems = servers.flatMap(({ problem }) => (problem === undefined ? [] : [problem]))
  return { reference: undefined, why: [why, ...problems].join('. ') }
}

function chooseLocal({ id, name, url, models }: FoundServer): ModelChoice {
  const best = models.reduce((one, other) => (score(other) > score(one) ? other : one))
  const loaded = best.loaded ? ', and this one is in memory' : ''
  const among = models.length > 1 ? ` with ${models.length} models` : ''
  return {
    reference: `${id}/${best.name}`,
    why: `${name} is running at ${url}${among}${loaded}`,
  }
}

/**
 * Prefers a loaded model, because it responds soonest, and one that can call tools, because it is
 * more useful.
 */
function score(model: FoundModel): number {
  const toolScore = protocolOf(model).protocol ? 2 : model.tools ? 1 : 0
  return (model.loaded ? 4 : 0) + toolScore
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

function referenceIn(text: string, where: string, names: ReferenceOptions): string {
  try {
    return parseReference(text, names)
  } catch (error) {
    // Start the message with the source of the reference.
    throw new TypeError(`${where}: ${error instanceof Error ? error.message : String(error)}`)
  }
}
