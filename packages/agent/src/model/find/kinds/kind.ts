import type { Model } from '../../model.ts'
import type { OpenAiOptions } from '../../open-ai/open-ai-compatible.ts'
import type { FoundModels } from '../find-models.ts'
import type { Environment } from '../local-server.ts'
import { withoutUndefined } from '../../../options/without-undefined.ts'
import { hideKeys } from '../../../result/redact.ts'
import { plainLine } from '../../plain-line.ts'

/** A kind of model: its references and how to connect to it. */
export interface ModelKind {
  readonly id: string
  /** An example of a reference, for error messages. */
  readonly example: string
  /** True if a string can only be a reference of this kind. */
  matches(text: string): boolean
  /**
   * True if models of this kind cost money. A model with exactly this name on a local server takes
   * precedence.
   */
  readonly isPaid?: true
  /**
   * Checks a reference and returns its stored form. Throws a TypeError that explains the problem.
   */
  parse(text: string, place: ReferencePlace): string
  /** Connects to a model without sending it a request yet. */
  connect(reference: string, options: ConnectOptions): Promise<Model>
  /**
   * Checks that a model exists, as far as possible without sending it a request. Throws a
   * ModelError if it does not exist. Returns a description of what could not be checked, for
   * people. Default: connects to the model.
   */
  verify?(reference: string, options: ConnectOptions): Promise<string | undefined>
}

/** The base for relative paths in a reference. */
export interface ReferencePlace {
  /** The working directory. Default: none, so paths must be absolute. */
  readonly cwd?: string | undefined
  /** The user's home folder, for `~/`. */
  readonly home?: string | undefined
}

/** The connection to a server, and facts that the server does not report. */
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

/** Options for a connection to a model. */
export interface ConnectOptions extends Connection, ReferencePlace {
  /** Environment variables, for keys and addresses. */
  readonly env: Environment
  /**
   * The result of `findModels`. Without it, the facts about the model are requested from its
   * server.
   */
  readonly found?: FoundModels | undefined
  /**
   * The API key for a URL reference. It is sent to that server, so make sure it is the right one.
   */
  readonly key?: string | undefined
  /** The supported kinds of models. Default: those that require only the network. */
  readonly kinds?: readonly ModelKind[] | undefined
  /**
   * The source of the reference. A reference from a folder's settings must not use the user's keys
   * and files. Default: `person`.
   */
  readonly namedBy?: 'person' | 'folder' | undefined
  /** True if the user trusts the folder in `cwd`. Default: false. */
  readonly isTrusted?: boolean | undefined
  /** Called during work that takes time, such as loading a file. */
  readonly onProgress?: ((progress: ConnectProgress) => void) | undefined
  /** Asks the user for consent. Without this function, actions that need consent fail. */
  readonly confirm?: ((question: string) => Promise<boolean>) | undefined
  /**
   * The size of the context, in tokens. Ollama and model files are loaded with this size, up to the
   * model's maximum. Other servers have a fixed size, of which at most this much is used.
   */
  readonly context?: number | undefined
  /**
   * Turns thinking before the answer on or off, or sets its amount, if the server supports that.
   * Default: the model's default.
   */
  readonly thinking?: boolean | 'low' | 'medium' | 'high' | undefined
  /**
   * The time to keep the model in memory after a reply, if the server supports that: `10m`, or `-1`
   * for unlimited.
   */
  readonly keepAlive?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/** The progress of loading a model. */
export interface ConnectProgress {
  readonly text: string
  readonly done?: number
  readonly total?: number
}

/**
 * The options of the connection, without undefined ones, which would override the server's
 * defaults.
 */
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
    `Invalid model '${plainLine(hideKeys(given), 80)}'. ${plainLine(hideKeys(advice))}`,
  )
}
