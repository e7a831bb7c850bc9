import type { RuleScope } from '@toolglot/permissions'
import { askAt } from './ask.ts'
import type { FoundModel } from './found-model.ts'
import { addressOf, type Environment, type LocalServer } from './local-server.ts'
import { keyVariable, providers, urlOf } from './providers.ts'
import { localServers } from './servers/index.ts'

/** What there is to run models with. */
export interface FoundModels {
  /** What TOOLGLOT_MODEL says. */
  readonly named?: string
  /** What settings say, and whose. */
  readonly saved?: SavedModel
  readonly servers: readonly FoundServer[]
  readonly keys: readonly FoundKey[]
}

export interface SavedModel {
  readonly reference: string
  readonly scope: RuleScope
}

export interface FoundServer {
  readonly id: string
  readonly name: string
  /** Where it was looked for. */
  readonly url: string
  /** `other`: something answers there that is no such server. */
  readonly status: 'running' | 'absent' | 'other'
  readonly models: readonly FoundModel[]
  /** The command that starts it. */
  readonly start: string
}

/** A key in the environment. Its value is not here. */
export interface FoundKey {
  readonly provider: string
  readonly name: string
  readonly variable: string
  readonly url: string
  /** The model that is offered if none is named. */
  readonly usual: string
}

export interface FindModelsOptions {
  readonly env: Environment
  readonly saved?: SavedModel | undefined
  readonly fetch?: typeof fetch
  /** For each answer of a server, in milliseconds; five times that, where none is found and one is busy. */
  readonly timeout?: number
  readonly signal?: AbortSignal | undefined
}

/** Looks for servers on this machine, all at once, and for keys in the environment. Nothing is sent anywhere else. */
export async function findModels(options: FindModelsOptions): Promise<FoundModels> {
  const { env, saved } = options
  const named = env['TOOLGLOT_MODEL']?.trim()
  const servers = await findServers(options)
  const keys = providers.flatMap((provider): FoundKey[] => {
    const variable = keyVariable(provider, env)
    const { id, name, usual } = provider
    return variable ? [{ provider: id, name, variable, url: urlOf(provider, env), usual }] : []
  })
  return { ...(named && { named }), ...(saved && { saved }), servers, keys }
}

/** Looks for all of them. Where none is found at once, those who listen but are busy have more time. */
async function findServers(options: FindModelsOptions): Promise<readonly FoundServer[]> {
  const { timeout = SOON } = options
  const looked = await Promise.all(localServers.map((server) => look(server, options)))
  const patient = { ...options, timeout: timeout * PATIENCE }
  const isFound = looked.some(({ found }) => found.status === 'running')
  return Promise.all(
    looked.map(async ({ found, isSilent }, index) =>
      isSilent && !isFound ? (await look(localServers[index]!, patient)).found : found,
    ),
  )
}

const SOON = 300
const PATIENCE = 5

/** Looks for one server, whom a person has named: it has more time too. */
export async function findServer(
  server: LocalServer,
  options: FindModelsOptions,
): Promise<FoundServer> {
  const { timeout = SOON } = options
  return (await look(server, { ...options, timeout: timeout * PATIENCE })).found
}

async function look(
  server: LocalServer,
  { env, fetch = globalThis.fetch, timeout = SOON, signal }: FindModelsOptions,
): Promise<{ readonly found: FoundServer; readonly isSilent: boolean }> {
  const { id, name, start } = server
  const url = addressOf(server, env)
  const { ask, isThere, isSilent } = askAt(url, { fetch, timeout, signal })
  const models = await server.look(ask)
  const status = models ? 'running' : isThere() ? 'other' : 'absent'
  const found: FoundServer = { id, name, url, status, models: models ?? [], start }
  return { found, isSilent: !models && isSilent() }
}
