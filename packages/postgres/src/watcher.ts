import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type EncodedRecord,
  type Waiter,
  Waiters,
  type WaitTarget,
} from '@toolglot/agent/journal/internal'
import type { Client } from 'pg'
import type { Database, Row } from './database.ts'

/** Waits for answers, messages and other records, whichever process appends them. */
export interface Watcher {
  /** Waits for a record, or for more records. */
  wait(run: string, target: WaitTarget, signal: AbortSignal): Promise<unknown>
  /** Notifies waiters in all processes that these records, or any records, were appended. */
  appended(run: string, records?: readonly EncodedRecord[]): void
  /** Rejects all waiters. */
  stop(error: Error): void
}

/**
 * Creates a watcher. It checks the waiters of a run when a notice announces more records, and all
 * waiters every few seconds, since notices can be lost with a connection and some poolers drop
 * them. One statement checks all waiters.
 */
export function watchRuns({ prepared }: Database, notices: Notices): Watcher {
  const waiters = new Waiters(updateTimer)
  let unchecked = new Set<Waiter>()
  let isChecking = false
  let timer: NodeJS.Timeout | undefined

  async function check(more: readonly Waiter[]): Promise<void> {
    more.forEach((waiter) => unchecked.add(waiter))
    if (isChecking || unchecked.size === 0) return
    isChecking = true
    // Includes all waits that are added in this tick.
    await new Promise((resolve) => setImmediate(resolve))
    while (unchecked.size > 0) {
      const batch = [...unchecked]
      unchecked = new Set()
      try {
        for (const row of await prepared(FIND, targetsOf(batch))) settle(batch, row)
      } catch {
        // The next check may succeed. Until then, calls that record report the problem.
      }
    }
    isChecking = false
  }

  function settle(batch: readonly Waiter[], { waiter, value }: Row): void {
    batch[Number(waiter) - 1]?.resolve(value === null ? undefined : JSON.parse(value as string))
  }

  /** Checks repeatedly while there are waiters. */
  function updateTimer(): void {
    const { all, lasting } = waiters.counts
    if (all === 0) {
      clearTimeout(timer)
      timer = undefined
      return
    }
    timer ??= setTimeout(poll, notices.arrive() ? RARELY : OFTEN)
    if (lasting > 0) timer.ref()
    else timer.unref()
  }

  function poll(): void {
    timer = undefined
    void check(waiters.all())
    updateTimer()
  }

  const forget = notices.listen(
    (run) => void check(run === undefined ? waiters.all() : waiters.of(run)),
  )

  return {
    wait: (run, target, signal) =>
      waiters.wait(run, target, signal, (waiter) => void check([waiter])),
    appended(run, records) {
      void check(waiters.of(run).filter(({ target }) => mayBe(target, records)))
      notices.send(run)
    },
    stop(error) {
      forget()
      clearTimeout(timer)
      waiters.all().forEach(({ reject }) => reject(error))
    },
  }
}

/** The intervals between checks with and without working notices, in milliseconds. */
const RARELY = 5000
const OFTEN = 500

/** True if one of these records may meet the condition. */
function mayBe(target: WaitTarget, records: readonly EncodedRecord[] | undefined): boolean {
  return (
    !records ||
    !('kind' in target) ||
    records.some(({ kind, key }) => kind === target.kind && key === target.key)
  )
}

function targetsOf(waiters: readonly Waiter[]): unknown[][] {
  const runs = waiters.map(({ run }) => run)
  const kinds = waiters.map(({ target }) => ('kind' in target ? target.kind : undefined))
  const keys = waiters.map(({ target }) => ('kind' in target ? target.key : undefined))
  const counts = waiters.map(({ target }) => ('kind' in target ? undefined : target.moreThan))
  return [runs, kinds, keys, counts]
}

/** Selects the waiters whose condition is met, by their position, with the value of a record. */
const FIND = `
  WITH target AS (
    SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[]) WITH ORDINALITY AS t(run, kind, key, count, waiter)
  )
  SELECT waiter, value FROM target JOIN @records AS r ON r.run = target.run AND r.key = target.key AND r.kind = target.kind
  UNION ALL SELECT waiter, NULL FROM target JOIN @runs AS r ON r.run = target.run AND r.records > target.count`

/**
 * Notices that tell other processes which runs have more records. They may be lost: they only save
 * time.
 */
interface Notices {
  /** Sends a notice soon, together with other notices. */
  send(run: string): void
  /**
   * Calls back with the run in a notice from another process, or without a run if any run may have
   * more records. Returns a function that stops it.
   */
  listen(listener: (run?: string) => void): () => void
  /** True if notices arrive, which some poolers prevent. */
  arrive(): boolean
  close(): Promise<void>
}

/**
 * Opens the notices of a journal. They are sent after the commit in a statement that writes
 * nothing, because transactions with a notice wait for each other's commits.
 */
export async function openNotices(
  { prepared, connect }: Database,
  schema: string,
): Promise<Notices> {
  const channel = `toolglot_${schema}`
  // No run id begins with this text.
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
      // Once listening, the connection does not keep the process alive. `unref` is missing in its
      // types.
      ;(listening as Client & { unref(): void }).unref()
      if (isClosed) return await listening.end()
      // Earlier notices were lost.
      tell()
      await ping()
    } catch {
      if (!isClosed) setTimeout(() => void listen(), RECONNECT).unref()
    }
  }

  /** Checks that notices arrive. */
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

/**
 * The delay in milliseconds. Each notice wakes every process, so notices within the delay are sent
 * together.
 */
const SOON = 10
const PING = 10_000
const RECONNECT = 1000
/** Postgres allows 8000 bytes, and run ids are ASCII. */
const MAX_PAYLOAD = 7900
