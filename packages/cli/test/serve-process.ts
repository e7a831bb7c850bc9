import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { spawned, type Spawned } from './spawned.ts'
import { folderWith } from './folder.ts'

/** `toolglot serve` in another process, which can be killed and started again in the same place. */
export interface ServeProcess {
  readonly url: string
  readonly port: number
  /** The folder that it works in. */
  readonly folder: string
  readonly token: string
  /** What all its processes wrote to standard error. */
  readonly errors: () => string
  /** Ends the process with a signal and starts another one on the same port, with the same state. */
  readonly restart: (signal: 'SIGKILL' | 'SIGTERM') => Promise<void>
  /** Ends the process with a signal. Resolves with its exit code. */
  readonly stop: (signal: 'SIGKILL' | 'SIGTERM') => Promise<number | null>
  /** Asks it, with its token. */
  readonly ask: (path: string, init?: RequestInit) => Promise<Response>
  /** Posts JSON; what is a string already is sent as it is. */
  readonly post: (path: string, body: unknown, init?: RequestInit) => Promise<Response>
}

/** How a server is started. */
export interface ServeProcessOptions {
  /** The user's own settings. */
  readonly settings?: object
  /** The files of its folder. */
  readonly files?: Readonly<Record<string, string>>
  readonly env?: Readonly<Record<string, string>>
}

/** Starts the built command in another process, until the test is over. */
export async function serveProcess({
  settings = {},
  files = {},
  env = {},
}: ServeProcessOptions = {}): Promise<ServeProcess> {
  const home = folderWith({ '.config/toolglot/settings.json': JSON.stringify(settings) })
  const folder = folderWith(files)
  const token = 'a-token-of-the-tests-that-is-long-enough-to-be-taken'
  const port = await freePort()
  const words = ['serve', '--port', String(port), '-m', 'script', '--cwd', folder]
  const url = `http://127.0.0.1:${port}`
  const all: Spawned[] = []
  const start = async (): Promise<Spawned> => {
    const started = spawned(words, {
      env: { HOME: home, TOOLGLOT_TOKEN: token, NO_COLOR: '1', ...env },
    })
    all.push(started)
    await started.until(/listening on/)
    return started
  }
  let current = await start()
  const stop = (signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> => {
    current.child.kill(signal)
    return current.ended()
  }
  const ask: ServeProcess['ask'] = (path, init = {}) =>
    fetch(url + path, {
      ...init,
      headers: { authorization: `Bearer ${token}`, ...(init.headers as Record<string, string>) },
    })
  return {
    url,
    port,
    folder,
    token,
    errors: () => all.map(({ errors }) => errors()).join(''),
    stop,
    async restart(signal) {
      await stop(signal)
      current = await start()
    },
    ask,
    post: (path, body, init = {}) =>
      ask(path, {
        ...init,
        method: 'POST',
        body: typeof body === 'string' ? body : JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
