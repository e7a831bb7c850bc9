import { join } from 'node:path'
import { spawned, type Spawned } from './spawned.ts'
import { folderOf } from '../../../tests/helpers/folder.ts'
import { freePort } from '../../../tests/helpers/free-ports.ts'

/** `toolglot serve` in another process, which can be killed and started again in the same place. */
export interface ServeProcess {
  readonly url: string
  readonly port: number
  /** The folder that it works in. */
  readonly folder: string
  readonly token: string
  /** The home of its user, with the user's own settings and the state of the server. */
  readonly home: string
  /** The link that logs a browser in once, as the current process printed it. */
  readonly link: () => string
  /** Runs another command of the same user, and returns what it prints. */
  readonly command: (...words: readonly string[]) => Promise<string>
  /** What all its processes wrote to standard error. */
  readonly errors: () => string
  /** Ends the process with a signal and starts another one on the same port, with the same state. */
  readonly restart: (
    signal: 'SIGKILL' | 'SIGTERM',
    env?: Readonly<Record<string, string>>,
  ) => Promise<void>
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
  /** Where its folder is in the user's home, such as `code/tide`. Default: elsewhere. */
  readonly folder?: string
  /** What it asks, unless a request says otherwise. Default: the demo script. */
  readonly model?: string
}

/** Starts the built command in another process, until the test is over. */
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
