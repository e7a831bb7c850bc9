import { join } from 'node:path'
import type { Workspace } from '@toolglot/workspace'
import { createApi } from './api/api.ts'
import { createApp } from './app.ts'
import { createGateway, type GatewayOptions } from './gateway/gateway.ts'
import { sharedResponseStore } from './gateway/responses/shared-store.ts'
import { addressesOf } from './node/address.ts'
import { listen, type Listening } from './node/listen.ts'
import { onStablePort } from './node/port.ts'
import type { CloseOptions } from './node/sockets.ts'
import type { Observe } from './observe/access-entry.ts'
import { createGatewayFeed } from './requests/gateway-feed.ts'
import { gatewayRoutes, observeRefusals } from './routes/gateway.ts'
import { loginRoutes } from './routes/login.ts'
import { pageRoutes } from './routes/page.ts'
import type { SharedJournal } from './runs/claiming.ts'
import { endedSessionsFile, createLogin, createLoginLink } from './security/login.ts'
import { type Limits, limitsFor } from './security/limits.ts'
import { authorityOf, checkNames, hostsOf } from './security/perimeter.ts'
import { createSharedLoginLink, sharedLogin, sharedTokens } from './security/shared-values.ts'
import { openTokens } from './security/tokens.ts'
import type { Route } from './route.ts'

/** Options for a server. */
export interface ServerOptions extends GatewayOptions {
  /** The folder with the tokens and the port. */
  readonly stateFolder: string
  /** The default folder of `/api`. Without one, the server has only the gateway. */
  readonly workspace?: Workspace | undefined
  /**
   * A journal shared by several servers: each continues the runs of stopped ones. Default: the
   * journal of this machine's user.
   */
  readonly sharedJournal?: SharedJournal | undefined
  /**
   * The default model and protocol of runs. Default: those in the settings of the run's folder, or
   * those that are found.
   */
  readonly runDefaults?: { readonly model?: string; readonly protocol?: string } | undefined
  /** The IP address to listen on. Default: loopback only. */
  readonly host?: string | undefined
  /** Accepts a host that includes all networks of this machine, such as 0.0.0.0. For containers. */
  readonly dangerouslyListenEverywhere?: boolean | undefined
  /** Default: the last one used; initially 4747, or any free one. */
  readonly port?: number | undefined
  /** The only token, instead of those in the state folder. For containers. */
  readonly token?: string | undefined
  /** Other names for this server used by clients and proxies, such as `tools.example.com`. */
  readonly hosts?: readonly string[] | undefined
  /** Origins of other pages that may use this server with a token, such as `https://app.example.com`. */
  readonly origins?: readonly string[] | undefined
  readonly limits?: Partial<Limits> | undefined
  /** Called when a request arrives. */
  readonly onRequest?: (() => void) | undefined
  /** Called with each completed request. */
  readonly observe?: Observe | undefined
  /** Called with warnings for people, such as that other machines can reach this server. */
  readonly onWarning?: ((text: string) => void) | undefined
  /** Called with errors of the server itself. */
  readonly onError?: ((error: unknown) => void) | undefined
  /** Returns the text of `/metrics`. Without it, there is no such route. */
  readonly metrics?: (() => string | Promise<string>) | undefined
}

/** A running server. */
export interface Server {
  /** The server's address, such as `http://127.0.0.1:4747`. */
  readonly url: string
  /** The server's routes, such as `GET /v1/models`. */
  readonly routes: readonly string[]
  /** Creates a link that logs a browser in once, within ten minutes. */
  loginLink(): Promise<string>
  /** Stops the server: lets responses end for a few seconds, then closes every connection. */
  close(options?: ServerCloseOptions): Promise<void>
}

/** Options for stopping a server. */
export interface ServerCloseOptions extends CloseOptions {
  /**
   * Called with the number of interrupted runs unless it is 0. They continue when the server starts
   * again.
   */
  readonly onRuns?: ((runs: number) => void) | undefined
}

/**
 * Starts a server. Throws a UserError if it cannot listen on the address, or if its tokens are not
 * protected.
 */
export async function startServer(options: ServerOptions): Promise<Server> {
  const { stateFolder, hosts = [], origins = [], observe, onWarning, onError, metrics } = options
  const { addresses, isLoopback } = addressesOf(options.host, options.dangerouslyListenEverywhere)
  const [address = ''] = addresses
  checkNames(hosts, origins)
  const limits = limitsFor(isLoopback, options.limits)
  // The app has already checked the nesting of bodies.
  const checked = { maxBody: limits.gatewayBodySize, maxDepth: Infinity }
  const own = openTokens({
    stateFolder,
    token: options.token,
    onProblem: onError,
  })
  const ended = endedSessionsFile(join(stateFolder, 'ended-sessions.json'), onError)
  const values = options.sharedJournal?.values
  const tokens = values ? sharedTokens(values, own) : own
  const login = values ? sharedLogin(values) : createLogin(own, Date.now, ended)
  const gateway = createGateway({
    ...options,
    ...checked,
    ...(values && { responses: sharedResponseStore(values, (error) => onError?.(error)) }),
  })
  const requests = createGatewayFeed()
  const observeRefusal = observeRefusals(gateway, requests)
  const api =
    options.workspace &&
    createApi({
      workspace: options.workspace,
      shared: options.sharedJournal,
      defaults: options.runDefaults,
      requests,
      onWarning,
      onError: (error) => onError?.(error),
    })
  const routes = [
    ...pageRoutes(),
    ...loginRoutes(login),
    ...gatewayRoutes(gateway, limits, api && requests),
    ...(api?.routes ?? []),
    ...(metrics ? [metricsRoute(metrics)] : []),
  ]
  let registered: readonly string[] = []
  const start = (port: number): Promise<Listening> =>
    listen({
      addresses,
      port,
      limits,
      onError,
      handler(bound) {
        const app = createApp({
          routes,
          tokens,
          login,
          hosts: hostsOf(address, bound, hosts),
          origins,
          limits,
          onRequest: options.onRequest,
          observe(entry) {
            observeRefusal(entry)
            observe?.(entry)
          },
          onError,
        })
        registered = app.registered
        return app.fetch
      },
    })
  const listening = await onStablePort(stateFolder, options.port, start).catch(
    async (error: unknown) => {
      await api?.close()
      throw error
    },
  )
  api?.resumeRuns().catch((error: unknown) => onError?.(error))
  if (!isLoopback) {
    onWarning?.(
      `Other machines can reach this server at ${address}. Their requests, including tokens, are not encrypted: put an HTTPS proxy in front of it.`,
    )
  }
  const reachable = address === '0.0.0.0' ? '127.0.0.1' : address === '::' ? '::1' : address
  const url = `http://${authorityOf(reachable)}:${listening.port}`
  return {
    url,
    routes: registered,
    loginLink: async () =>
      values ? createSharedLoginLink(url, values) : createLoginLink(url, own),
    async close(closing) {
      api?.endStreams()
      await listening.close(closing)
      await api?.close(closing)
    },
  }
}

/** The route for Prometheus. */
export function metricsRoute(metrics: () => string | Promise<string>): Route {
  return {
    method: 'GET',
    path: '/metrics',
    access: 'metrics',
    async handle() {
      return new Response(await metrics(), {
        headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
      })
    },
  }
}
