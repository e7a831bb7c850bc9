import type { OpenAiOptions } from '../open-ai/open-ai-compatible.ts'
import type { FoundModels } from './find-models.ts'
import { withoutUndefined } from './found-model.ts'
import type { ModelKind, ReferencePlace } from './kinds/kind.ts'
import type { Environment } from './local-server.ts'

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
