import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { freePorts } from '../helpers/free-ports.ts'

/** A running Restate server. */
export interface Restate {
  /** Registers the address of the workers. */
  register(address: string): Promise<void>
  /** Submits a run to be driven until it ends. */
  submit(run: string, prompt: string): Promise<void>
}

/** Starts a Restate server, until the test ends. */
export async function startRestate(): Promise<Restate> {
  const folder = mkdtempSync(join(tmpdir(), 'toolglot-restate-'))
  const [ingress, admin, fabric, pgsql] = await freePorts(4)
  const server = spawn(program(), ['--base-dir', folder], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      RESTATE_BIND_ADDRESS: `127.0.0.1:${fabric}`,
      RESTATE_ADVERTISED_ADDRESS: `http://127.0.0.1:${fabric}/`,
      RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingress}`,
      RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${admin}`,
      RESTATE_ADMIN__QUERY_ENGINE__PGSQL_BIND_ADDRESS: `127.0.0.1:${pgsql}`,
      RESTATE_LOG_FILTER: 'error',
      RESTATE_DISABLE_TELEMETRY: 'true',
      DO_NOT_TRACK: '1',
      // Detects a paused worker.
      RESTATE_WORKER__INVOKER__HTTP_KEEP_ALIVE_OPTIONS__INTERVAL: '2s',
      RESTATE_WORKER__INVOKER__HTTP_KEEP_ALIVE_OPTIONS__TIMEOUT: '2s',
    },
  })
  let log = ''
  for (const stream of [server.stdout, server.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (log = (log + text).slice(-10_000)))
  onTestFinished(async () => {
    const ended = new Promise((resolve) => server.once('close', resolve))
    server.kill('SIGKILL')
    await ended
    rmSync(folder, { recursive: true, force: true })
  })

  async function post(port: number | undefined, path: string, body: object): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      try {
        const response = await fetch(`http://127.0.0.1:${port}${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
        if (response.ok) return
        throw new Error(`${response.status} ${await response.text()}`)
      } catch (error) {
        if (server.exitCode !== null || attempt > 150)
          throw new Error(`expected Restate to accept ${path}: ${log}`, { cause: error })
        await sleep(200)
      }
    }
  }

  return {
    register: (uri) => post(admin, '/deployments', { uri, force: true }),
    submit: (run, prompt) => post(ingress, `/run/${run}/drive/send`, { prompt }),
  }
}

function program(): string {
  const require = createRequire(import.meta.url)
  const name = `@restatedev/restate-server-${process.platform}-${process.arch}`
  return require.resolve(`${name}/bin/restate-server`)
}

/**
 * One address for several workers, like a load balancer: each connection goes to the next worker
 * that accepts it.
 */
export async function startBalancer(ports: readonly number[]): Promise<string> {
  let turn = 0
  const server = createServer((from) => {
    const attempt = (rest: number): void => {
      const to = connect(ports[turn++ % ports.length]!, '127.0.0.1')
      let isConnected = false
      to.on('connect', () => {
        isConnected = true
        from.pipe(to).pipe(from)
      })
      to.on('error', () => {
        if (isConnected || rest === 0) from.destroy()
        else setTimeout(attempt, 20, rest - 1)
      })
      to.on('close', () => isConnected && from.destroy())
      from.on('close', () => to.destroy())
    }
    from.on('error', () => {})
    attempt(20)
  })
  const [port] = await freePorts(1)
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${port}`
}
