import type { Model } from '../model.ts'
import { plainLine } from '../plain-line.ts'
import type { OpenAiOptions } from '../open-ai/open-ai-compatible.ts'
import type { ConnectOptions } from './kinds/kind.ts'
import type { FetchJson } from './json-client.ts'

/** A program that serves models on this machine. */
export interface LocalServer {
  /** The part before the slash in a model reference, such as `ollama/qwen3:8b`. */
  readonly id: string
  readonly name: string
  /** The server's default port on 127.0.0.1. */
  readonly port: number
  /** The command for starting it. */
  readonly start: string
  /** The server's features, independent of the model. */
  readonly abilities: Pick<OpenAiOptions, 'prefill' | 'grammars' | 'extensions'>
  /** True if the server serves a single model and ignores the model name in requests. */
  readonly takesAnyName?: true
  /** A sentence of advice for getting a context of this size, for people. */
  contextAdvice(model: string, tokens: number): string
  /**
   * Chooses the size of the context, in tokens. Default: the server's own size, limited to the
   * requested size.
   */
  chooseContext?(facts: ContextFacts): number | undefined
  /** Connects to one of its models through its own API. Default: OpenAI's API. */
  connect?(options: OpenAiOptions, choices: Pick<ConnectOptions, 'thinking' | 'keepAlive'>): Model
  /**
   * Returns the server's base URL according to the environment, or undefined if the environment has
   * no valid URL.
   */
  address?(env: Environment): string | undefined
  /** The environment variable for its address. */
  readonly addressVariable?: string
  /** Lists its models. Resolves to undefined if a different kind of server responds. */
  listModels(fetchJson: FetchJson): Promise<readonly FoundModel[] | undefined>
  /** Counts the tokens in text. Resolves to undefined if the server cannot count. */
  countTokens?(fetchJson: FetchJson, model: string, text: string): Promise<number | undefined>
}

/** A model on a local server. */
export interface FoundModel {
  /** The model's name on the server. */
  readonly name: string
  /** The context window configured on the server, in tokens. */
  readonly contextTokens?: number
  /**
   * The context window of the model's training, in tokens. A server may provide a smaller one and
   * silently drop the rest of a prompt.
   */
  readonly trainedTokens?: number
  readonly chatTemplate?: string
  /** The language of the template. */
  readonly templateLanguage?: 'jinja' | 'go'
  /** True if the server supports function calling with this model. */
  readonly tools?: boolean
  /** The server reports that it accepts images. */
  readonly images?: true
  /** True if it is in memory. */
  readonly loaded?: boolean
}

/** Facts about the context of a model, in tokens. */
export interface ContextFacts extends Pick<FoundModel, 'contextTokens' | 'trainedTokens'> {
  /** The size requested by the user. */
  readonly wanted?: number | undefined
}

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>

/**
 * The reason why the address from the environment is ignored, or undefined if it is valid or not
 * set.
 */
export function addressProblem(server: LocalServer, env: Environment): string | undefined {
  const { addressVariable: variable = '' } = server
  const given = env[variable]?.trim()
  if (!given || server.address?.(env) !== undefined) return undefined
  return plainLine(
    `${variable} is not a valid address: ${JSON.stringify(given)}. Set it to a value such as 127.0.0.1:${server.port}, or unset it`,
    500,
  )
}

/** The base URL of a local server. */
export function addressOf(server: LocalServer, env: Environment): string {
  return server.address?.(env) ?? `http://127.0.0.1:${server.port}`
}

/**
 * The value if it is a valid model name, or else undefined. Any program may be listening on the
 * port.
 */
export function validModelName(value: unknown): string | undefined {
  return typeof value === 'string' &&
    /^[\p{L}\p{N}._/~@][\p{L}\p{N}._:/~@+=,() -]{0,199}$/u.test(value)
    ? value
    : undefined
}

/** The value if it is a valid number of tokens, or else undefined. */
export function validTokenCount(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : undefined
}

/** The value if it is usable as a chat template, or else undefined. */
export function validTemplate(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= 256 << 10 && value.trim() !== ''
    ? value
    : undefined
}

/** The objects in an array, at most 500. Empty if the value is not an array. */
export function objectsIn(value: unknown): Readonly<Record<string, unknown>>[] {
  if (!Array.isArray(value)) return []
  return value
    .slice(0, 500)
    .filter((each): each is Record<string, unknown> => typeof each === 'object' && each !== null)
}
