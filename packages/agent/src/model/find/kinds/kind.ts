import type { Model } from '../../model.ts'
import type { OpenAiOptions } from '../../open-ai/open-ai-compatible.ts'
import type { FoundModels } from '../find-models.ts'
import type { Environment } from '../local-server.ts'
import { withoutUndefined } from '../../../options/without-undefined.ts'
import { hideKeys } from '../../../result/redact.ts'
import { plainLine } from '../../plain-line.ts'

/** A kind of model: its references, and how to connect. */
export interface ModelKind {
  readonly id: string
  /** An example of a reference, for messages. */
  readonly example: string
  /** Whether a text can only be a reference of this kind. */
  matches(text: string): boolean
  /** Its models cost money. A model of exactly this name on a local server takes precedence. */
  readonly isPaid?: true
  /** Checks a reference, and returns its stored form. Throws a TypeError that explains the problem. */
  parse(text: string, place: ReferencePlace): string
  /** Connects to a model, without sending it anything yet. */
  connect(reference: string, options: ConnectOptions): Promise<Model>
  /**
   * Checks that the model exists, as far as possible without a request to it. Throws a ModelError if it does not exist,
   * and returns the part that could not be checked, for people. Default: connects to it.
   */
  verify?(reference: string, options: ConnectOptions): Promise<string | undefined>
}

/** The place of a reference: relative paths start there. */
export interface ReferencePlace {
  /** Default: paths must be absolute. */
  readonly cwd?: string | undefined
  /** The user's home folder, for `~/`. */
  readonly home?: string | undefined
}

/** The connection to a server, and facts that it does not report. */
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

/** Options of a connection to a model. */
export interface ConnectOptions extends Connection, ReferencePlace {
  /** Environment variables, for keys and addresses. */
  readonly env: Environment
  /** The result of `findModels`. Without it, a request to the model's server gets the facts about the model. */
  readonly found?: FoundModels | undefined
  /** The API key for a URL reference. It is sent there, so make sure it belongs there. */
  readonly key?: string | undefined
  /** The kinds of models that references can have. Default: those that need nothing but the network. */
  readonly kinds?: readonly ModelKind[] | undefined
  /** The source of the reference: a folder's settings must not use the person's keys and files. Default: the person. */
  readonly namedBy?: 'person' | 'folder' | undefined
  /** Whether the person trusts the folder in `cwd`. Default: false. */
  readonly isTrusted?: boolean | undefined
  /** Called while something takes time, such as loading a file. */
  readonly onProgress?: ((progress: ConnectProgress) => void) | undefined
  /** Asks a person for consent. Without it, actions that need consent fail. */
  readonly confirm?: ((question: string) => Promise<boolean>) | undefined
  /**
   * The size of the context to use, in tokens. Ollama and files load the model with it, as far as the model allows.
   * Other servers have a fixed size, of which no more than this is used.
   */
  readonly context?: number | undefined
  /**
   * Whether, or how much, the model thinks before it answers, if its server has a setting for it. Default: the model's
   * own.
   */
  readonly thinking?: boolean | 'low' | 'medium' | 'high' | undefined
  /** How long the model stays in memory after a reply, if its server has a setting for it: `10m`, or `-1` forever. */
  readonly keepAlive?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/** The progress of a model. */
export interface ConnectProgress {
  readonly text: string
  readonly done?: number
  readonly total?: number
}

/** The options of the connection, without undefined ones: those would replace the defaults of a server. */
export function connectionOf(options: ConnectOptions): Connection {
  const { fetch, idleTimeout, timeout, maxBytes, native, images, prefill } = options
  const { grammars, laterSystem, drawsTools, extensions } = options
  const connection: Connection = {
    ...{ fetch, idleTimeout, timeout, maxBytes },
    ...{ native, images, prefill, grammars, laterSystem, drawsTools, extensions },
  }
  return withoutUndefined(connection)
}

/** The error for an invalid reference. */
export function invalidReference(given: string, advice: string): TypeError {
  return new TypeError(
    `expected a model, such as ollama/qwen3:8b, http://127.0.0.1:8080/v1#name or ./qwen.gguf, got '${plainLine(hideKeys(given), 80)}': ${plainLine(hideKeys(advice))}`,
  )
}
