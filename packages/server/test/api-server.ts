import { openWorkspace } from '@toolglot/workspace'
import { onTestFinished } from 'vitest'
import { type Files, folderOf } from '../../../tests/helpers/folder.ts'
import { type Server, type ServerOptions, startServer } from '../src/server.ts'

/** A server in this process, with `/api`, until the test ends. */
export interface ApiServer {
  readonly server: Server
  readonly port: number
  readonly token: string
  /** The folder that it works in. */
  readonly folder: string
  /** Internal errors of the server. */
  readonly errors: readonly unknown[]
  /** Sends a request with the server's token. */
  readonly ask: (path: string, init?: RequestInit) => Promise<Response>
  /** Posts JSON. A string is sent unchanged. */
  readonly post: (path: string, body: unknown, init?: RequestInit) => Promise<Response>
}

/** Options for the server. */
export interface ApiServerOptions {
  /** The user's permissions. */
  readonly permissions?: object
  /** The files of its folder. */
  readonly files?: Files
  readonly options?: Partial<ServerOptions>
}

/** Starts a server on loopback whose runs and tools work in a new folder. */
export async function apiServer({
  permissions = {},
  files = {},
  options = {},
}: ApiServerOptions = {}): Promise<ApiServer> {
  const folder = folderOf(files)
  const home = folderOf({ '.config/toolglot/settings.json': { permissions } })
  const token = 'a-token-of-the-tests-that-is-long-enough-to-be-taken'
  const errors: unknown[] = []
  const env = { PATH: process.env['PATH'], HOME: home }
  const server = await startServer({
    models: { list: () => Promise.resolve([]), find: () => Promise.resolve(undefined) },
    stateFolder: folderOf(),
    workspace: await openWorkspace(folder, { env }),
    port: 0,
    token,
    onError: (error) => errors.push(error),
    ...options,
  })
  onTestFinished(() => server.close())
  const ask: ApiServer['ask'] = (path, init = {}) =>
    fetch(server.url + path, {
      ...init,
      headers: { authorization: `Bearer ${token}`, ...(init.headers as Record<string, string>) },
    })
  return {
    server,
    port: Number(new URL(server.url).port),
    token,
    folder,
    errors,
    ask,
    post: (path, body, init = {}) =>
      ask(path, {
        ...init,
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
  }
}
