import type { Model } from '../model.ts'
import { plainLine } from '../plain-line.ts'
import type { OpenAiOptions } from '../open-ai/open-ai-compatible.ts'
import type { ConnectOptions } from './connect-options.ts'
import type { FoundModel } from './found-model.ts'
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
  /** What it can do with every model. */
  readonly abilities: Pick<OpenAiOptions, 'prefill' | 'grammars' | 'extensions'>
  /** It serves one model, whatever name a request has. */
  readonly takesAnyName?: true
  /** How a model gets a context of so many tokens, for people: a sentence. */
  contextAdvice(model: string, tokens: number): string
  /** The size of the context to use, in tokens. Default: what the server was started with, but no more than was asked for. */
  chooseContext?(facts: ContextFacts): number | undefined
  /** Connects to one of its models by its own API. Default: by OpenAI's. */
  connect?(options: OpenAiOptions, choices: Pick<ConnectOptions, 'thinking' | 'keepAlive'>): Model
  /** Its base URL according to the environment; undefined if nothing valid is set. */
  address?(env: Environment): string | undefined
  /** The environment variable with its address. */
  readonly addressVariable?: string
  /** Its models; undefined if another kind of server responds. */
  listModels(fetchJson: FetchJson): Promise<readonly FoundModel[] | undefined>
  /** Counts the tokens of a text; undefined if the server cannot. */
  countTokens?(fetchJson: FetchJson, model: string, text: string): Promise<number | undefined>
}

/** What is known about the context of a model, in tokens. */
export interface ContextFacts extends Pick<FoundModel, 'contextTokens' | 'trainedTokens'> {
  /** What a person asked for. */
  readonly wanted?: number | undefined
}

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Why the address in the environment is ignored; undefined if it is not. */
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
