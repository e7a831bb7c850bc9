import type { Model } from '../model.ts'
import { plainLine } from '../plain-line.ts'
import type { OpenAiOptions } from '../open-ai/open-ai-compatible.ts'
import type { ConnectOptions } from './kinds/kind.ts'
import type { FetchJson } from './json-client.ts'

/** A kind of server that runs models on this machine. */
export interface LocalServer {
  /** The part before the slash in a model reference, such as `ollama/qwen3:8b`. */
  readonly id: string
  readonly name: string
  /** Its default port on 127.0.0.1. */
  readonly port: number
  /** The command that starts it. */
  readonly start: string
  /** Its abilities with every model. */
  readonly abilities: Pick<OpenAiOptions, 'prefill' | 'grammars' | 'extensions'>
  /** It serves one model and ignores the name in requests. */
  readonly takesAnyName?: true
  /** Advice for a context of this size, for people: a sentence. */
  contextAdvice(model: string, tokens: number): string
  /** The size of the context to use, in tokens. Default: the server's own, but no more than the requested size. */
  chooseContext?(facts: ContextFacts): number | undefined
  /** Connects to one of its models by its own API. Default: by OpenAI's. */
  connect?(options: OpenAiOptions, choices: Pick<ConnectOptions, 'thinking' | 'keepAlive'>): Model
  /** Its base URL according to the environment; undefined if nothing valid is set. */
  address?(env: Environment): string | undefined
  /** The environment variable with its address. */
  readonly addressVariable?: string
  /** Its models, or undefined if another kind of server responds. */
  listModels(fetchJson: FetchJson): Promise<readonly FoundModel[] | undefined>
  /** Counts the tokens of a text; undefined if the server cannot. */
  countTokens?(fetchJson: FetchJson, model: string, text: string): Promise<number | undefined>
}

/** A model on a local server. */
export interface FoundModel {
  /** Its name on the server. */
  readonly name: string
  /** The context window that the server is configured for, in tokens. */
  readonly contextTokens?: number
  /** The context window it was trained for, in tokens. A server may allow fewer, and silently drop the rest. */
  readonly trainedTokens?: number
  readonly chatTemplate?: string
  /** The language of the template. */
  readonly templateLanguage?: 'jinja' | 'go'
  /** Whether the server supports function calling with it. */
  readonly tools?: boolean
  /** Whether it accepts images, according to the server. */
  readonly images?: true
  /** Whether it is in memory. */
  readonly loaded?: boolean
}

/** Facts about the context of a model, in tokens. */
export interface ContextFacts extends Pick<FoundModel, 'contextTokens' | 'trainedTokens'> {
  /** The size that a person asked for. */
  readonly wanted?: number | undefined
}

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The reason why the address in the environment is ignored, or undefined if it is valid. */
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

/** The value, if it is a valid model name. Anything may be listening on a port. */
export function validModelName(value: unknown): string | undefined {
  return typeof value === 'string' &&
    /^[\p{L}\p{N}._/~@][\p{L}\p{N}._:/~@+=,() -]{0,199}$/u.test(value)
    ? value
    : undefined
}

/** The value, if it is a valid number of tokens. */
export function validTokenCount(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : undefined
}

/** The value, if it can be a chat template. */
export function validTemplate(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= 256 << 10 && value.trim() !== ''
    ? value
    : undefined
}

/** The objects in an array, at most 500; none if the value is not an array. */
export function objectsIn(value: unknown): Readonly<Record<string, unknown>>[] {
  if (!Array.isArray(value)) return []
  return value
    .slice(0, 500)
    .filter((each): each is Record<string, unknown> => typeof each === 'object' && each !== null)
}
