import { openAiCompatible } from '../../open-ai/open-ai-compatible.ts'
import { protocolOf } from '../../protocol-of.ts'
import { connectionOf } from '../connect-options.ts'
import { countTokens } from '../count-tokens.ts'
import { findServer } from '../find-models.ts'
import { addressOf } from '../local-server.ts'
import { localServers } from '../servers/index.ts'
import type { ModelKind } from './kind.ts'
import { namedModel } from './named-model.ts'

/** A model on a server on this machine: `ollama/qwen3:8b`. */
export const localKind: ModelKind = {
  id: 'local',
  example: 'ollama/qwen3:8b',
  matches: (text) => localServers.some(({ id }) => text === id || text.startsWith(`${id}/`)),
  parse: (text) => namedModel(text).reference,

  async connect(reference, options) {
    const { provider: id, model } = namedModel(reference)
    const { env, found, signal } = options
    const connection = connectionOf(options)
    const server = localServers.find((each) => each.id === id)!
    const { name, start } = server
    const { fetch } = connection
    const foundServer =
      found?.servers.find((each) => each.id === id) ??
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
    })
  },
}
