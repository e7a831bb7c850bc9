import { createJsonClient, type FetchJson, withKey } from '../find/json-client.ts'
import { objectsIn, validModelName, validTemplate, validTokenCount } from '../find/local-server.ts'
import { asObject } from '../as-object.ts'
import { ModelError } from '../model-error.ts'
import { rootEndpoint } from '../http/endpoint.ts'
import type { CompletionStyle } from './completion-model.ts'
import { validToken } from './template-file.ts'

/** Facts about a raw completion server. */
export interface FoundCompletion {
  readonly style: CompletionStyle
  /** The name of the server, for people. */
  readonly provider: string
  /** The names of its models. */
  readonly models: readonly string[]
  readonly chatTemplate?: string
  /** The template for conversations with tools, if it is different. */
  readonly toolTemplate?: string
  readonly bosToken?: string
  readonly eosToken?: string
  readonly contextTokens?: number
  readonly addsBos?: boolean
  /** The error for facts that the server does not reveal without a key. */
  readonly denial?: ModelError
}

/** Options for `findCompletion`. */
interface FindOptions {
  readonly fetch?: typeof globalThis.fetch | undefined
  readonly signal?: AbortSignal | undefined
  readonly key?: string | undefined
  /** The name of the model. Default: the first model on the server. */
  readonly model?: string | undefined
}

/** Detects the raw completion API of a server. Throws a ModelError if the server has none. */
export async function findCompletion(url: string, options: FindOptions): Promise<FoundCompletion> {
  const { signal, key, model } = options
  const fetch = withKey(options.fetch ?? globalThis.fetch, key)
  const { display, isLoopback } = rootEndpoint(url)
  const client = createJsonClient(display, { fetch, timeout: 3000, signal })
  const { fetchJson } = client
  const [properties, list, version] = await Promise.all([
    fetchJson('/props'),
    fetchJson('/v1/models'),
    fetchJson('/api/version'),
  ])
  signal?.throwIfAborted()
  const denial = client.isDenied() ? { denial: keyError(display, key) } : {}
  const entries = objectsIn(list?.['data'])
  const models = entries.flatMap(({ id }) => validModelName(id) ?? [])
  if (properties && ('default_generation_settings' in properties || 'chat_template' in properties))
    return llamaCppFacts(properties, models, fetchJson)
  if (typeof version?.['version'] === 'string' && !('max_model_len' in (entries[0] ?? {})))
    return { style: 'ollama', provider: 'Ollama', models, ...denial }
  if (Array.isArray(list?.['data'])) {
    const meant = entries.find(({ id }) => id === model) ?? entries[0]
    const contextTokens = validTokenCount(meant?.['max_model_len'])
    return {
      style: 'openai',
      provider: contextTokens === undefined ? 'the server' : 'vLLM',
      models,
      contextTokens,
      ...denial,
    }
  }
  if (denial.denial) throw denial.denial
  if (client.hasResponded())
    throw new ModelError(
      'refused',
      `${display} is not a raw completion server, such as llama.cpp's (llama-server -m model.gguf) or vLLM's. Check the URL.`,
    )
  const reason = client.hasTimedOut() ? 'it does not respond' : 'nothing is listening there'
  const advice = isLoopback
    ? 'Start it (llama-server -m model.gguf), or check the port'
    : 'Check the URL and the network'
  throw new ModelError(
    'unreachable',
    `Cannot reach a raw completion server at ${display}: ${reason}. ${advice}.`,
  )
}

function keyError(display: string, key: string | undefined): ModelError {
  const problem = key?.trim()
    ? 'does not accept the key: check TOOLGLOT_API_KEY'
    : 'needs a key: set TOOLGLOT_API_KEY'
  return new ModelError('refused', `The server at ${display} ${problem}.`)
}

async function llamaCppFacts(
  properties: Readonly<Record<string, unknown>>,
  models: readonly string[],
  fetchJson: FetchJson,
): Promise<FoundCompletion> {
  const chatTemplate = validTemplate(properties['chat_template'])
  const toolTemplate = validTemplate(properties['chat_template_tool_use'])
  const bosToken = validToken(properties['bos_token'])
  const eosToken = validToken(properties['eos_token'])
  const settings = asObject(properties['default_generation_settings'])
  const contextTokens = validTokenCount(settings?.['n_ctx'])
  // The tokens of an empty text include the first token if the server adds it.
  const tokenized = bosToken
    ? await fetchJson('/tokenize', { content: '', add_special: true })
    : undefined
  const tokens = tokenized?.['tokens']
  return {
    style: 'llama.cpp',
    provider: 'llama.cpp',
    models: models.length > 0 ? models : [fileName(properties['model_path'])],
    chatTemplate,
    toolTemplate,
    bosToken,
    eosToken,
    contextTokens,
    ...(Array.isArray(tokens) && { addsBos: tokens.length > 0 }),
  }
}

function fileName(path: unknown): string {
  const name = typeof path === 'string' ? path.split(/[/\\]/).at(-1) : undefined
  return validModelName(name) ?? 'model'
}
