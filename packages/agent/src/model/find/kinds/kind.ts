import type { Model } from '../../model.ts'
import type { OpenAiOptions } from '../../open-ai/open-ai-compatible.ts'
import type { FoundModels } from '../find-models.ts'
import { withoutUndefined, type Environment } from '../local-server.ts'
import { hideKeys } from '../../../result/redact.ts'
import { plainLine } from '../../plain-line.ts'

/** A kind of models: how they are named, and how to connect to one. */
export interface ModelKind {
  readonly id: string
  /** How such a model is named, for messages. */
  readonly example: string
  /** Whether a text can only name a model of this kind. */
  matches(text: string): boolean
  /** Its models cost money: if a server on this machine has one of exactly this name, that one is meant. */
  readonly isPaid?: true
  /** Checks the name of a model, and returns it as it is stored. Throws a TypeError that explains what is wrong with it. */
  parse(text: string, place: ReferencePlace): string
  /** Connects to a model, without sending it anything yet. */
  connect(reference: string, options: ConnectOptions): Promise<Model>
  /**
   * Checks that there is such a model, as far as that can be found out without asking it. Throws a ModelError if there is not,
   * and returns what could not be checked, for people. Default: connects to it.
   */
  verify?(reference: string, options: ConnectOptions): Promise<string | undefined>
}

/** Where a name was given: relative paths start there. */
export interface ReferencePlace {
  /** Default: paths must be absolute. */
  readonly cwd?: string | undefined
  /** The user's home folder, for `~/`. */
  readonly home?: string | undefined
}

/** How a server is reached, and what it does not tell. */
type Connection = Pick<
  OpenAiOptions,
  | 'fetch'
  | 'idleTimeout'
  | 'timeout'
  | 'maxBytes'
  | 'native'
  | 'images'
  | 'prefill'
  | 'grammars'
  | 'laterSystem'
  | 'drawsTools'
  | 'extensions'
>

/** How to connect to a model. */
export interface ConnectOptions extends Connection, ReferencePlace {
  /** Environment variables, for keys and addresses. */
  readonly env: Environment
  /** The result of `findModels`. Without it, the model's server is asked about the model. */
  readonly found?: FoundModels | undefined
  /** The API key for a URL reference. It is sent there, so make sure it belongs there. */
  readonly key?: string | undefined
  /** The kinds of models that can be named. Default: those that need nothing but the network. */
  readonly kinds?: readonly ModelKind[] | undefined
  /** Who names the model: a folder's settings must not use what belongs to the person. Default: the person. */
  readonly namedBy?: 'person' | 'folder' | undefined
  /** Whether the person trusts the folder in `cwd`. Default: false. */
  readonly isTrusted?: boolean | undefined
  /** Called while something takes time, such as loading a file. */
  readonly onProgress?: ((progress: ConnectProgress) => void) | undefined
  /** Asks a person for consent. Without it, what needs consent fails. */
  readonly confirm?: ((question: string) => Promise<boolean>) | undefined
  /**
   * The size of the context to use, in tokens. Ollama and files are loaded with it, as far as the model allows; other servers
   * were started with one, of which no more than this is used.
   */
  readonly context?: number | undefined
  /** Whether a model thinks before it answers, or how much, if its server can be told. Default: as the model does. */
  readonly thinking?: boolean | 'low' | 'medium' | 'high' | undefined
  /** How long a model stays in memory after a reply, if its server can be told: `10m`, or `-1` forever. */
  readonly keepAlive?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/** How far a model is. */
export interface ConnectProgress {
  readonly text: string
  readonly done?: number
  readonly total?: number
}

/** The options that are about the server. */
export function connectionOf(options: ConnectOptions): Connection {
  const { fetch, idleTimeout, timeout, maxBytes, native, images, prefill } = options
  const { grammars, laterSystem, drawsTools, extensions } = options
  return withoutUndefined<Connection>({
    fetch,
    idleTimeout,
    timeout,
    maxBytes,
    native,
    images,
    prefill,
    grammars,
    laterSystem,
    drawsTools,
    extensions,
  })
}

/** The error for a text that does not name a model. */
export function invalidReference(given: string, advice: string): TypeError {
  return new TypeError(
    `expected a model, such as ollama/qwen3:8b, http://127.0.0.1:8080/v1#name or ./qwen.gguf, got '${plainLine(hideKeys(given), 80)}': ${plainLine(hideKeys(advice))}`,
  )
}
