import type { Model } from '@toolglot/agent'
import type { Finish } from '@toolglot/core'
import { createGateway, type GatewayOptions } from '../src/gateway/gateway.ts'
import type { GatewayModel } from '../src/gateway/models.ts'
import type { GatewayReport } from '../src/gateway/report.ts'

/** Sends requests to a gateway in the same process. */
export interface GatewayClient {
  /** Sends a request to a path. Values other than strings are sent as JSON. */
  send(
    path: string,
    body: unknown,
    init?: Pick<RequestInit, 'headers' | 'signal'>,
    owner?: string,
  ): Promise<Response>
  /** Sends a chat completion. */
  chat(body: unknown, init?: Pick<RequestInit, 'headers' | 'signal'>): Promise<Response>
  /** The gateway's reports so far, in order. */
  readonly reports: readonly GatewayReport[]
}

/** A gateway with one model, available under any name except `missing`. */
export function gatewayWith(
  target: GatewayModel,
  options: Omit<GatewayOptions, 'models'> = {},
): GatewayClient {
  const { routes } = createGateway({
    ...options,
    models: {
      list: () => Promise.resolve([{ name: 'fake', owner: 'test' }]),
      find: (name) => Promise.resolve(name === 'missing' ? undefined : target),
    },
  })
  const reports: GatewayReport[] = []
  const send: GatewayClient['send'] = (path, body, init = {}, owner = 'test') => {
    const request = new Request(`http://127.0.0.1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      ...init,
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
    const route = routes.find((each) => each.path === path)!
    return route.handle(request, { owner, onReport: (report) => reports.push(report) })
  }
  return {
    reports,
    send,
    chat: (body, init) => send('/v1/chat/completions', body, init),
  }
}

/** A model with function calling that calls `bash` with the given arguments. */
export function callingModel(delta: string, finish: Finish): Model {
  return {
    name: 'fake',
    native: true,
    async *reply() {
      yield { type: 'call', index: 0, id: 'x', name: 'bash', delta }
      yield { type: 'finish', finish }
    },
  }
}
