import { askAt } from './find/ask.ts'
import { type FoundModels, findServer } from './find/find-models.ts'
import { addressOf, type Environment, type LocalServer } from './find/local-server.ts'
import { keyVariable, providers, urlOf } from './find/providers.ts'
import { parseReference } from './find/reference.ts'
import { localServers } from './find/servers/index.ts'
import type { Model } from './model.ts'
import { ModelError } from './model-error.ts'
import { openAiCompatible, type OpenAiOptions } from './open-ai-compatible.ts'
import { protocolOf } from './protocol-of.ts'

export interface ConnectOptions extends Pick<
  OpenAiOptions,
  'fetch' | 'idleTimeout' | 'timeout' | 'maxBytes'
> {
  readonly env: Environment
  /** What was found before; a server is asked about the model, if not told. */
  readonly found?: FoundModels
  /** For a URL. It is sent there, so it must be meant for it. */
  readonly key?: string | undefined
  readonly signal?: AbortSignal
}

/** The model that a reference names, such as `ollama/qwen3:8b`. It is asked nothing yet. */
export async function connectModel(text: string, options: ConnectOptions): Promise<Model> {
  const { env, found, key, signal, ...connection } = options
  const reference = parseReference(text)
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
    const there =
      found?.servers.find(({ id }) => id === server.id) ??
      (await findServer(server, { env, signal, ...(fetch && { fetch }) }))
    const { chatTemplate, contextTokens, tools } =
      there.models.find((each) => each.name === model) ?? {}
    // What its text says can be read: its server need not.
    const isRead = protocolOf({ name: model, ...(chatTemplate !== undefined && { chatTemplate }) })
    return openAiCompatible({
      ...connection,
      url: addressOf(server, env),
      model,
      provider: name,
      start,
      ...(chatTemplate !== undefined && { chatTemplate }),
      ...(contextTokens !== undefined && { contextTokens }),
      native: !isRead.protocol && tools === true,
      ...(server.countTokens && {
        countTokens: (text: string, signal: AbortSignal) =>
          countTokens(server, model, text, { ...options, signal }),
      }),
    })
  }
  // What is no server is one of these, or it was no reference.
  const provider = providers.find(({ id }) => id === reference.provider)!
  const keyName = keyVariable(provider, env)
  if (keyName === undefined) {
    throw new ModelError(
      'refused',
      `${provider.name} needs a key: set ${provider.variables.join(' or ')}.`,
    )
  }
  return openAiCompatible({
    ...connection,
    url: urlOf(provider, env),
    model,
    provider: provider.name,
    key: env[keyName],
    keyName,
    native: true,
  })
}

async function countTokens(
  server: LocalServer,
  model: string,
  text: string,
  { env, fetch = globalThis.fetch, signal }: ConnectOptions,
): Promise<number> {
  const { ask } = askAt(addressOf(server, env), { fetch, timeout: 10_000, signal })
  const count = await server.countTokens?.(ask, model, text)
  signal?.throwIfAborted()
  if (count !== undefined) return count
  throw new ModelError('unavailable', `${server.name} does not say how many tokens a text is.`)
}
