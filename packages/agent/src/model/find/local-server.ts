import type { Ask } from './ask.ts'
import type { FoundModel } from './found-model.ts'

/** A kind of server that runs models on this machine. */
export interface LocalServer {
  /** Before the slash in a reference, such as `ollama/qwen3:8b`. */
  readonly id: string
  readonly name: string
  /** Where it usually listens, on 127.0.0.1. */
  readonly port: number
  /** The command that starts it. */
  readonly start: string
  /** Where the environment says that it listens. */
  address?(env: Environment): string | undefined
  /** Its models; undefined where what answers is no such server. */
  look(ask: Ask): Promise<readonly FoundModel[] | undefined>
  /** How many tokens a text is to a model; undefined where it does not say. */
  countTokens?(ask: Ask, model: string, text: string): Promise<number | undefined>
}

export type Environment = Readonly<Record<string, string | undefined>>

export function addressOf(server: LocalServer, env: Environment): string {
  return server.address?.(env) ?? `http://127.0.0.1:${server.port}`
}
