import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import type { Database } from './database.ts'

/** Tells other processes which runs have more records. Notices may be lost: they only save time. */
export interface Notices {
  /** Tells everybody soon, together with what else there is to tell. */
  send(run: string): void
  /** Calls back with the run of a notice of somebody else; without one if any run may have more. Returns how to stop that. */
  listen(listener: (run?: string) => void): () => void
  /** Whether notices arrive: a pooler may not pass them on. */
  arrive(): boolean
  close(): Promise<void>
}

/**
 * Opens the notices of a journal. They are sent after the commit, by a statement that writes nothing: transactions with a
 * notice wait for each other's commits.
 */
export async function openNotices(
  { prepared, connect }: Database,
  schema: string,
): Promise<Notices> {
  const channel = `toolglot_${schema}`
  // No id of a run begins with it.
  const sender = `@${randomUUID()}`
  const listeners = new Set<(run?: string) => void>()
  let unsent = new Set<string>()
  let sending: Promise<void> | undefined
  let client: Client | undefined
  let isClosed = false
  let heard = -Infinity

  function tell(run?: string): void {
    for (const listener of listeners) listener(run)
  }

  async function listen(): Promise<void> {
    try {
      const listening = await connect()
      listening.on('notification', ({ payload = '' }) => {
        heard = performance.now()
        if (payload === '*') return tell()
        const [from, ...runs] = payload.split(' ')
        if (from !== sender) runs.forEach(tell)
      })
      listening.on('end', () => {
        client = undefined
        if (!isClosed) setTimeout(() => void listen(), RECONNECT).unref()
      })
      await listening.query(`LISTEN "${channel}"`)
      client = listening
      // It does not keep the process alive, once it listens. Its types do not know it.
      ;(listening as Client & { unref(): void }).unref()
      if (isClosed) return await listening.end()
      // What was sent before is lost.
      tell()
      await ping()
    } catch {
      if (!isClosed) setTimeout(() => void listen(), RECONNECT).unref()
    }
  }

  /** Finds out whether notices arrive. */
  const ping = (): Promise<unknown> => notify(sender).catch(() => {})
  const pings = setInterval(() => void ping(), PING)
  pings.unref()

  function notify(payload: string): Promise<unknown> {
    return prepared('SELECT pg_notify($1, $2)', [channel, payload])
  }

  async function sendAll(): Promise<void> {
    while (unsent.size > 0) {
      if (!isClosed) await sleep(SOON)
      const payload = [sender, ...unsent].join(' ')
      unsent = new Set()
      await notify(payload.length > MAX_PAYLOAD ? '*' : payload).catch(() => {})
    }
    sending = undefined
  }

  await listen()
  return {
    send(run) {
      unsent.add(run)
      sending ??= sendAll()
    },
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    arrive: () => performance.now() - heard < 2 * PING,
    async close() {
      isClosed = true
      clearInterval(pings)
      await sending
      await client?.end().catch(() => {})
    },
  }
}

/** In milliseconds. Each notice wakes every process, so that all of a moment are one. */
const SOON = 10
const PING = 10_000
const RECONNECT = 1000
/** Postgres allows 8000 bytes, and ids of runs are ASCII. */
const MAX_PAYLOAD = 7900
