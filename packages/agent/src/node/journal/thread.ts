import { Worker } from 'node:worker_threads'

/** SQL with named values, such as `:run`. */
export interface Statement {
  readonly sql: string
  readonly values?: Readonly<Record<string, Cell>>
  /** Where it changes nothing, the unit it belongs to is refused. */
  readonly mustChange?: true
}

export type Cell = string | number | null

/** A database in a thread of its own. */
export interface Thread {
  open(file: string, setup: string): Promise<void>
  /**
   * Resolves when all of a unit is durable. Units that come in one tick, or while others are being written, share one
   * transaction, and so one wait for the disk.
   */
  commit(unit: readonly Statement[]): Promise<void>
  all(statement: Statement): Promise<readonly Row[]>
  /** Locks a file as long as this process lives. False: somebody looks at it just now. */
  lock(file: string): Promise<boolean>
  /** With `remove`, a file that is not locked is removed. */
  isLocked(file: string, options?: { readonly remove: boolean }): Promise<boolean>
  /** Everything that was asked for is done before. */
  close(): Promise<void>
}

export type Row = Readonly<Record<string, Cell>>

/** What SQLite says; `code` is its extended result code. */
export class SqliteError extends Error {
  readonly code: number | undefined

  constructor({ message, errcode }: Failure) {
    super(message)
    this.name = 'SqliteError'
    this.code = errcode
  }
}

interface Failure {
  readonly message: string
  readonly errcode?: number
}

interface Settle<Value> {
  readonly resolve: (value: Value) => void
  readonly reject: (error: Error) => void
}

export function startThread(): Thread {
  const worker = new Worker(new URL('../../../workers/sqlite.js', import.meta.url), {
    env: {},
    execArgv: [],
  })
  // It keeps the process alive only while somebody waits for it.
  worker.unref()
  const asked = new Map<number, Settle<unknown>>()
  let lastId = 0
  let ended: Error | undefined
  let units: (Settle<void> & { readonly unit: readonly Statement[] })[] = []
  let committing: Promise<void> | undefined

  worker.on('message', ({ id, value, failure }: Reply) => {
    const settle = asked.get(id)
    asked.delete(id)
    if (asked.size === 0) worker.unref()
    if (failure) settle?.reject(new SqliteError(failure))
    else settle?.resolve(value)
  })
  const end = (error: Error): void => {
    ended ??= error
    asked.forEach(({ reject }) => reject(error))
    asked.clear()
  }
  worker.on('error', end)
  worker.on('exit', () => end(new Error('The thread of the database has ended.')))

  function ask<Value>(operation: string, given: object = {}): Promise<Value> {
    return new Promise<Value>((resolve, reject) => {
      if (ended) return reject(ended)
      lastId++
      asked.set(lastId, { resolve: resolve as (value: unknown) => void, reject })
      worker.ref()
      worker.postMessage({ id: lastId, operation, given })
    })
  }

  async function commitAll(): Promise<void> {
    // What else comes in this tick goes along.
    await new Promise((resolve) => setImmediate(resolve))
    while (units.length > 0) {
      const batch = units
      units = []
      try {
        const results = await ask<{ failure?: Failure }[]>('commit', {
          units: batch.map(({ unit }) => unit),
        })
        for (const [index, { resolve, reject }] of batch.entries()) {
          const failure = results[index]?.failure
          if (failure) reject(new SqliteError(failure))
          else resolve()
        }
      } catch (error) {
        batch.forEach(({ reject }) => reject(error as Error))
      }
    }
    committing = undefined
  }

  return {
    open: (file, setup) => ask('open', { file, setup }),
    commit: (unit) =>
      new Promise((resolve, reject) => {
        units.push({ unit, resolve, reject })
        committing ??= commitAll()
      }),
    all: (statement) => ask('all', statement),
    lock: (file) => ask('lock', { file }),
    isLocked: (file, { remove } = { remove: false }) => ask('isLocked', { file, remove }),
    async close() {
      await committing
      if (!ended) await ask('close')
      await worker.terminate()
    },
  }
}

interface Reply {
  readonly id: number
  readonly value?: unknown
  readonly failure?: Failure
}
