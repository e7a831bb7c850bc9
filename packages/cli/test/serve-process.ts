import { join } from 'node:path'
import { spawned, type Spawned } from './spawned.ts'
import { folderOf } from '../../../tests/helpers/folder.ts'
import { freePort } from '../../../tests/helpers/free-ports.ts'

/** `toolglot serve` in another process, which can be killed and restarted in the same folder. */
export interface ServeProcess {
  readonly url: string
  readonly port: number
  /** The server's folder. */
  readonly folder: string
  readonly token: string
  /** The home of its user, with the user's own settings and the server's state. */
  readonly home: string
  /** The login link printed by the current process. */
  readonly link: () => string
  /** Runs another command of the same user, and returns its output. */
  readonly command: (...words: readonly string[]) => Promise<string>
  /** The standard error of all its processes. */
  readonly errors: () => string
  /** Ends the process with a signal and starts another one on the same port, with the same state. */
  readonly restart: (
    signal: 'SIGKILL' | 'SIGTERM',
    env?: Readonly<Record<string, string>>,
  ) => Promise<void>
  /** Ends the process with a signal. Resolves with its exit code. */
  readonly stop: (signal: 'SIGKILL' | 'SIGTERM') => Promise<number | null>
  /** Sends a request with the server's token. */
  readonly ask: (path: string, init?: RequestInit) => Promise<Response>
  /** Posts JSON. A string is sent unchanged. */
  readonly post: (path: string, body: unknown, init?: RequestInit) => Promise<Response>
}

/** Options for the server. */
export interface ServeProcessOptions {
  /** The user's own settings. */
  readonly settings?: object
  /** The files of its folder. */
  readonly files?: Readonly<Record<string, string>>
  readonly env?: Readonly<Record<string, string>>
  /** The folder's path in the user's home, such as `code/tide`. Default: outside the home. */
  readonly folder?: string
  /** The default model of requests. Default: the demo script. */
  readonly model?: string
}

/** Starts the built command in another process, until the test ends. */
export async function serveProcess({
  settings = {},
  files = {},
  env = {},
  model = 'script',
  folder: inHome,
}: ServeProcessOptions = {}): Promise<ServeProcess> {
  const home = folderOf({
    '.config/toolglot/settings.json': JSON.stringify(settings),
    ...(inHome !== undefined &&
      Object.fromEntries(Object.entries(files).map(([name, text]) => [`${inHome}/${name}`, text]))),
  })
  const folder = inHome === undefined ? folderOf(files) : join(home, inHome)
  const token = 'a-token-of-the-tests-that-is-long-enough-to-be-taken'
  const port = await freePort()
  const words = ['serve', '--port', String(port), '-m', model, '--cwd', folder]
  const url = `http://127.0.0.1:${port}`
  const all: Spawned[] = []
  let link = ''
  const start = async (more: Readonly<Record<string, string>> = {}): Promise<Spawned> => {
    const started = spawned(words, {
      env: { HOME: home, TOOLGLOT_TOKEN: token, NO_COLOR: '1', ...env, ...more },
    })
    all.push(started)
    await started.until(/listening on/)
    link = (await started.until(/http\S+#login=\S+/))[0]
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
    home,
    link: () => link,
    async command(...more) {
      const other = spawned(more, { env: { HOME: home, TOOLGLOT_TOKEN: token, NO_COLOR: '1' } })
      await other.ended()
      return other.output()
    },
    errors: () => all.map(({ errors }) => errors()).join(''),
    stop,
    async restart(signal, more) {
      await stop(signal)
      current = await start(more)
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
