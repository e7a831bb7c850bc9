import { PassThrough, Readable } from 'node:stream'
import { onTestFinished } from 'vitest'
import type { ServeFlags } from '../src/commands/serve.ts'
import { serveLog, serveUntil } from '../src/serve/serve.ts'
import type { Terminal } from '../src/terminal.ts'
import { noBrowser } from './spawn-command.ts'
import { type Spawned, writtenBy } from './spawned.ts'

/** A server that was started, and can be stopped. */
export interface Serving extends Omit<Spawned, 'child'> {
  readonly stop: (signal: 'SIGKILL' | 'SIGTERM') => void
}

/** `toolglot serve` in this process, until the test is over. It starts six times as fast, and cannot be killed. */
export function serveHere(
  flags: Pick<ServeFlags, 'port' | 'model' | 'cwd'>,
  env: Readonly<Record<string, string>>,
): Serving {
  const [output, errors] = [new PassThrough(), new PassThrough()]
  const terminal: Terminal = {
    input: Readable.from([]),
    hasInput: false,
    output,
    errors,
    env: { ...process.env, ...noBrowser, ...env },
    cwd: process.cwd(),
  }
  const all: ServeFlags = { allowHost: [], log: 'text', ...flags }
  const stop = new AbortController()
  const atOnce = new AbortController()
  const log = serveLog(all, terminal)
  const closed = serveUntil(stop.signal, all, { terminal, log }, atOnce.signal).then(
    () => 0,
    (error: unknown) => {
      errors.write(String(error))
      return 1
    },
  )
  onTestFinished(async () => {
    stop.abort()
    atOnce.abort()
    await closed
  })
  return {
    ...writtenBy(output, errors, closed),
    ended: () => closed,
    stop(signal) {
      if (signal === 'SIGKILL') throw new TypeError('expected a server with ownProcess')
      stop.abort()
    },
  }
}
