import type { RuleScope } from '@toolglot/permissions'
import { createJsonClient } from './json-client.ts'
import {
  type FoundModel,
  addressOf,
  addressProblem,
  type Environment,
  type LocalServer,
} from './local-server.ts'
import { keyVariable, providers, providerUrl } from './providers.ts'
import { localServers } from './servers/index.ts'

/** The local servers, API keys and settings from which to choose a model. */
export interface FoundModels {
  /** The value of TOOLGLOT_MODEL. */
  readonly named?: string
  /** The default model in the settings. */
  readonly saved?: SavedModel
  readonly servers: readonly FoundServer[]
  readonly keys: readonly FoundKey[]
}

/** A model from the settings, with their scope. */
export interface SavedModel {
  readonly reference: string
  readonly scope: RuleScope
}

/** The result of checking for a local server. */
export interface FoundServer {
  readonly id: string
  readonly name: string
  /** The address that was checked. */
  readonly url: string
  /** `other`: a different program is listening at the address. */
  readonly status: 'running' | 'absent' | 'other'
  /** The reason why the address from the environment was ignored. */
  readonly problem?: string
  readonly models: readonly FoundModel[]
  /** The command that starts it. */
  readonly start: string
}

/** An API key in the environment, without its value. */
export interface FoundKey {
  readonly provider: string
  readonly name: string
  readonly variable: string
  readonly url: string
  /** The default model of the provider. */
  readonly usual: string
}

/** Options for the search for models. */
export interface FindModelsOptions {
  readonly env: Environment
  readonly saved?: SavedModel | undefined
  readonly fetch?: typeof fetch | undefined
  /**
   * The timeout for each response of a server, in milliseconds. If no server is found, servers that
   * timed out are tried again with five times as much.
   */
  readonly timeout?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Searches for servers on this machine and API keys in the environment. Sends nothing to other
 * machines.
 */
export async function findModels(options: FindModelsOptions): Promise<FoundModels> {
  const { env, saved } = options
  const named = env['TOOLGLOT_MODEL']?.trim()
  const servers = await findServers(options)
  const keys = providers.flatMap((provider): FoundKey[] => {
    const variable = keyVariable(provider, env)
    const { id, name, usual } = provider
    return variable
      ? [{ provider: id, name, variable, url: providerUrl(provider, env), usual }]
      : []
  })
  return { named: named || undefined, saved, servers, keys }
}

/**
 * Checks for all servers. If none is found, servers that timed out are tried again with more time.
 */
async function findServers(options: FindModelsOptions): Promise<readonly FoundServer[]> {
  const { timeout = TIMEOUT } = options
  const results = await Promise.all(localServers.map((server) => lookForServer(server, options)))
  const slower = { ...options, timeout: timeout * RETRY_FACTOR }
  const isFound = results.some(({ found }) => found.status === 'running')
  return Promise.all(
    results.map(async ({ found, hasTimedOut }, index) =>
      hasTimedOut && !isFound ? (await lookForServer(localServers[index]!, slower)).found : found,
    ),
  )
}

const TIMEOUT = 300
const RETRY_FACTOR = 5

/** Checks for a server selected by the user, with the longer timeout. */
export async function findServer(
  server: LocalServer,
  options: FindModelsOptions,
): Promise<FoundServer> {
  const { timeout = TIMEOUT } = options
  return (await lookForServer(server, { ...options, timeout: timeout * RETRY_FACTOR })).found
}

async function lookForServer(
  server: LocalServer,
  { env, fetch = globalThis.fetch, timeout = TIMEOUT, signal }: FindModelsOptions,
): Promise<{ readonly found: FoundServer; readonly hasTimedOut: boolean }> {
  const { id, name, start } = server
  const url = addressOf(server, env)
  const { fetchJson, hasResponded, hasTimedOut } = createJsonClient(url, { fetch, timeout, signal })
  const models = await server.listModels(fetchJson)
  const status = models ? 'running' : hasResponded() ? 'other' : 'absent'
  const problem = addressProblem(server, env)
  const found: FoundServer = {
    id,
    name,
    url,
    status,
    problem,
    models: onceEach(models ?? []),
    start,
  }
  return { found, hasTimedOut: !models && hasTimedOut() }
}

/** Removes duplicates: servers may list a model both on disk and in memory. */
function onceEach(models: readonly FoundModel[]): readonly FoundModel[] {
  const byName = new Map<string, FoundModel>()
  for (const model of models)
    if (model.loaded || !byName.has(model.name)) byName.set(model.name, model)
  return [...byName.values()]
}
