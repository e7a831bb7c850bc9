import type { Model, RequestOptions } from '@toolglot/agent'

/** The models behind a gateway. */
export interface GatewayModels {
  /** The models that clients can name. */
  list(signal: AbortSignal): Promise<readonly ListedModel[]>
  /** The model with this name; undefined if there is none. Names come from clients: they are looked up, never connected to. */
  find(name: string, signal: AbortSignal): Promise<GatewayModel | undefined>
}

/** A model in the list that clients ask for. */
export interface ListedModel {
  /** What clients write in `model`. */
  readonly name: string
  /** Who serves it, such as `ollama`. */
  readonly owner: string
}

/** What helps a small model with the tools of a large agent. */
export interface ModelHelp {
  /**
   * How tools are described at most: `whole`, `brief` without long descriptions, or `minimal` with what a call needs. They are
   * more compact where the context demands it. Default: `brief` for a model whose name says that it is small, else `whole`.
   */
  readonly describeTools?: 'whole' | 'brief' | 'minimal'
  /** Whether a reply ends after its first call. Default: false. */
  readonly oneCall?: boolean
  /** How many example calls of the client's tools the conversation begins with. Default: 0. */
  readonly examples?: number
}

/** A model, and how it is asked. */
export interface GatewayModel extends Pick<RequestOptions, 'protocol' | 'toolsIn'>, ModelHelp {
  readonly model: Model
  /** Used where a request says nothing: `temperature`, `topP`, `maxOutputTokens`, `body` … */
  readonly defaults?: Pick<RequestOptions, 'temperature' | 'topP' | 'maxOutputTokens' | 'body'>
  /** Whether arguments are streamed while the model writes them. Default: the gateway's. */
  readonly streamArguments?: boolean
  /**
   * Whether a call that may be an example is sent even if other text is around it: one in a code fence, in another protocol,
   * without marks, in reasoning, or after a result that the model made up. Default: false, so it is text.
   */
  readonly callsInProse?: boolean
  /** What differs for some clients, by the name in their User-Agent, such as `claude-cli`. */
  readonly clients?: Readonly<Record<string, ModelHelp>>
}
