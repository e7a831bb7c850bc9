import { ModelError } from '../../model-error.ts'
import { openAiCompatible, type OpenAiOptions } from '../../open-ai/open-ai-compatible.ts'
import { protocolOf } from '../../protocol-of.ts'
import { type ConnectOptions, connectionOf, type ModelKind } from './kind.ts'
import { countTokens } from '../json-client.ts'
import { findServer, type FoundServer } from '../find-models.ts'
import { type FoundModel, addressOf, type ContextFacts, type LocalServer } from '../local-server.ts'
import { localServers } from '../servers/index.ts'
import { namedModel, unknownModel } from './named-model.ts'

/** A model on a server on this machine: `ollama/qwen3:8b`. */
export const localKind: ModelKind = {
  id: 'local',
  example: 'ollama/qwen3:8b',
  matches: (text) => localServers.some(({ id }) => text === id || text.startsWith(`${id}/`)),
  parse: (text) => namedModel(text).reference,

  async connect(reference, options) {
    const { provider: id, model: named } = namedModel(reference)
    const { env, context } = options
    const connection = connectionOf(options)
    const server = localServers.find((each) => each.id === id)!
    const { name, start } = server
    const { fetch } = connection
    const found = await lookAt(server, options)
    const known = modelNamed(named, server, found)
    const model = known?.name ?? named
    const { chatTemplate, contextTokens, trainedTokens, tools, images } = known ?? {}
    // If the calls in the model's text can be read, the server's function calling is not needed.
    const { protocol } = protocolOf({ name: model, chatTemplate })
    const facts: ContextFacts = {
      wanted: context,
      contextTokens,
      trainedTokens,
    }
    const tokens = server.chooseContext?.(facts) ?? usableContext(facts)
    const given: OpenAiOptions = {
      ...server.abilities,
      images,
      native: !protocol && tools === true,
      ...connection,
      url: addressOf(server, env),
      model,
      provider: name,
      start,
      chatTemplate,
      ...(tokens !== undefined && {
        contextTokens: tokens,
        contextAdvice: adviceFor(server, model, tokens, trainedTokens),
      }),
      ...(server.countTokens && {
        countTokens: (text: string, stop: AbortSignal) =>
          countTokens(
            {
              name,
              url: addressOf(server, env),
              fetch: fetch ?? globalThis.fetch,
              count: (fetchJson) => server.countTokens?.(fetchJson, model, text),
            },
            stop,
          ),
      }),
    }
    return server.connect?.(given, options) ?? openAiCompatible(given)
  },

  async verify(reference, options) {
    const { provider: id, model } = namedModel(reference)
    const server = localServers.find((each) => each.id === id)!
    const found = await lookAt(server, options)
    modelNamed(model, server, found)
    const { name, url, status, start } = found
    return status === 'running'
      ? undefined
      : `${name} is not running at ${url}, so the name could not be checked. Start it with \`${start}\`.`
  },
}

/**
 * The server as found earlier, or else its current state. Throws a ModelError if its address is
 * invalid.
 */
async function lookAt(
  server: LocalServer,
  { env, found, signal, fetch }: ConnectOptions,
): Promise<FoundServer> {
  const seen =
    found?.servers.find((each) => each.id === server.id) ??
    (await findServer(server, { env, signal, fetch }))
  if (seen.problem !== undefined && seen.status !== 'running')
    throw new ModelError('unreachable', `${seen.problem}.`, { isLasting: true })
  return seen
}

/**
 * The model with this name, or undefined if the server does not list its models. Throws a
 * ModelError if the list does not contain it.
 */
function modelNamed(
  named: string,
  { name, takesAnyName }: LocalServer,
  { models }: FoundServer,
): FoundModel | undefined {
  const known = models.find((each) => each.name === named || each.name === `${named}:latest`)
  if (known || takesAnyName || models.length === 0) return known
  throw new ModelError(
    'refused',
    unknownModel(
      name,
      named,
      models.map((each) => each.name),
    ),
  )
}

/** The size of the server's context, limited to the requested size. */
function usableContext({ wanted, contextTokens }: ContextFacts): number | undefined {
  if (wanted === undefined || contextTokens === undefined) return wanted ?? contextTokens
  return Math.min(wanted, contextTokens)
}

/** Advice for doubling the context, or using the maximum that the model allows. */
function adviceFor(
  server: LocalServer,
  model: string,
  tokens: number,
  trained: number = Infinity,
): string {
  const more = Math.min(2 * tokens, trained)
  return more > tokens
    ? server.contextAdvice(model, more)
    : 'The model has no larger context: ask for less, or use another model.'
}
