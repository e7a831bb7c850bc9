import { createGateway, type GatewayOptions } from '../src/gateway/gateway.ts'
import type { GatewayModel } from '../src/gateway/models.ts'
import type { GatewayReport } from '../src/gateway/report.ts'

/** Asks a gateway in process. */
export interface GatewayClient {
  /** Sends a chat completion. What is not a string is sent as JSON. */
  chat(body: unknown, init?: Pick<RequestInit, 'headers' | 'signal'>): Promise<Response>
  /** What the gateway reported so far, in order. */
  readonly reports: readonly GatewayReport[]
}

/** A gateway with one model, which any name but `missing` finds. */
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
  const route = routes.find(({ path }) => path === '/v1/chat/completions')!
  const reports: GatewayReport[] = []
  return {
    reports,
    chat(body, init = {}) {
      const request = new Request('http://127.0.0.1/v1/chat/completions', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        ...init,
        body: typeof body === 'string' ? body : JSON.stringify(body),
      })
      return route.handle(request, { owner: 'test', onReport: (report) => reports.push(report) })
    },
  }
}
