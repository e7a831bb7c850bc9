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

/** A model, and how it is asked. */
export interface GatewayModel extends Pick<RequestOptions, 'protocol' | 'toolsIn'> {
  readonly model: Model
  /** Used where a request says nothing: `temperature`, `topP`, `maxOutputTokens`, `body` … */
  readonly defaults?: Pick<RequestOptions, 'temperature' | 'topP' | 'maxOutputTokens' | 'body'>
  /** Whether arguments are streamed while the model writes them. Default: the gateway's. */
  readonly streamArguments?: boolean
}
