import { createJsonClient } from './json-client.ts'
import { type FoundModels, findServer } from './find-models.ts'
import { addressOf, type Environment, type LocalServer } from './local-server.ts'
import { keyVariable, providers, providerUrl } from './providers.ts'
import { parseReference, printReference, type Reference } from './reference.ts'
import { localServers } from './servers/index.ts'
import type { Model } from '../model.ts'
import { ModelError } from '../model-error.ts'
import { openAiCompatible, type OpenAiOptions } from '../open-ai/open-ai-compatible.ts'
import { protocolOf } from '../protocol-of.ts'

/** How to connect to a model. */
export interface ConnectOptions extends Pick<
  OpenAiOptions,
  | 'fetch'
  | 'idleTimeout'
  | 'timeout'
  | 'maxBytes'
  // What the server does not tell.
  | 'native'
  | 'images'
  | 'prefill'
  | 'grammars'
  | 'laterSystem'
  | 'drawsTools'
  | 'extensions'
> {
  /** Environment variables, for keys and addresses. */
  readonly env: Environment
  /** The result of `findModels`. Without it, the model's server is asked about the model. */
  readonly found?: FoundModels
  /** The API key for a URL reference. It is sent there, so make sure it belongs there. */
  readonly key?: string | undefined
  readonly signal?: AbortSignal
}

/** Connects to the model of a reference such as `ollama/qwen3:8b`, without sending it anything yet. */
export async function connectModel(text: string, options: ConnectOptions): Promise<Model> {
  const reference = parseReference(text)
  const model = await connectTo(reference, options)
  return { ...model, reference: printReference(reference) }
}

async function connectTo(reference: Reference, options: ConnectOptions): Promise<Model> {
  const { env, found, key, signal, ...connection } = options
  const { model } = reference
  if ('url' in reference) {
    return openAiCompatible({
      ...connection,
      url: reference.url,
      model,
      key,
      keyName: 'TOOLGLOT_API_KEY',
    })
  }
  const server = localServers.find(({ id }) => id === reference.provider)
  if (server) {
    const { name, start } = server
    const { fetch } = connection
    const foundServer =
      found?.servers.find(({ id }) => id === server.id) ??
      (await findServer(server, { env, signal, ...(fetch && { fetch }) }))
    const { chatTemplate, contextTokens, tools, images } =
      foundServer.models.find((each) => each.name === model) ?? {}
    // If Toolglot can read the calls in its text, the server's function calling is not needed.
    const known = protocolOf({ name: model, ...(chatTemplate !== undefined && { chatTemplate }) })
    return openAiCompatible({
      ...server.abilities,
      ...(images && { images }),
      native: !known.protocol && tools === true,
      ...connection,
      url: addressOf(server, env),
      model,
      provider: name,
      start,
      ...(chatTemplate !== undefined && { chatTemplate }),
      ...(contextTokens !== undefined && { contextTokens }),
      ...(server.countTokens && {
        countTokens: (text: string, signal: AbortSignal) =>
          countTokens(server, model, text, { ...options, signal }),
      }),
    })
  }
  // parseReference accepts local servers and providers only.
  const provider = providers.find(({ id }) => id === reference.provider)!
  const keyName = keyVariable(provider, env)
  if (keyName === undefined) {
    throw new ModelError(
      'refused',
      `${provider.name} needs a key: set ${provider.variables.join(' or ')}.`,
    )
  }
  const url = providerUrl(provider, env)
  // Another server in the provider's place may be anything.
  const isItself = url === provider.url
  return openAiCompatible({
    ...(isItself && provider.images?.test(model) && { images: true }),
    ...(isItself && provider.laterSystem && { laterSystem: true }),
    native: true,
    ...connection,
    url,
    model,
    provider: provider.name,
    key: env[keyName],
    keyName,
  })
}

async function countTokens(
  server: LocalServer,
  model: string,
  text: string,
  { env, fetch = globalThis.fetch, signal }: ConnectOptions,
): Promise<number> {
  const { fetchJson } = createJsonClient(addressOf(server, env), { fetch, timeout: 10_000, signal })
  const count = await server.countTokens?.(fetchJson, model, text)
  signal?.throwIfAborted()
  if (count !== undefined) return count
  throw new ModelError('unavailable', `${server.name} does not support counting tokens.`)
}
