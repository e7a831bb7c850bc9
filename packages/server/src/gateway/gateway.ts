import type { GatewayModels } from './models.ts'
import type { GatewayReport } from './report.ts'

/** The models behind a gateway, and how it answers. */
export interface GatewayOptions {
  readonly models: GatewayModels
  /** Whether arguments are streamed while the model writes them. Default: false, so a call leaves whole or not at all. */
  readonly streamArguments?: boolean
}

/** Answers requests of model APIs. It checks no token: whoever calls it has done that. */
export interface Gateway {
  /** The routes it answers, such as `POST /v1/chat/completions`. */
  readonly routes: readonly GatewayRoute[]
}

/** A route of the gateway. */
export interface GatewayRoute {
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** An error that happened before the request reached the gateway, in the shape of the route's API. */
  error(error: { readonly status: number; readonly code: string; readonly message: string }): object
  handle(request: Request, client: GatewayClient): Promise<Response>
}

/** Whose request it is. */
export interface GatewayClient {
  /** What is kept of a conversation is only used for the same owner. */
  readonly owner: string
  /** Called once the request has been answered: of a stream, when it has ended. */
  readonly onReport?: (report: GatewayReport) => void
}

/** Creates a gateway. */
export function createGateway(_options: GatewayOptions): Gateway {
  throw new Error('not yet')
}
