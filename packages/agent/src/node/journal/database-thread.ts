import { Worker } from 'node:worker_threads'

/** An SQL statement with named parameters, such as `:run`. */
export interface Statement {
  readonly sql: string
  readonly values?: Readonly<Record<string, Cell>>
  /** The whole unit is rejected if this statement changes nothing. */
  readonly mustChange?: true
  /**
   * The whole unit is rejected if this statement selects a reason. No row or null means no reason.
   */
  readonly refuses?: true
}

/** A value in a database. */
export type Cell = string | number | Uint8Array | null

/** An SQLite database that runs in its own thread. */
export interface DatabaseThread {
  /** Opens a database and runs the setup statements. */
  open(file: string, setup: string): Promise<void>
  /**
   * Resolves when all statements of a unit are durable. Units from the same tick, or that arrive
   * while others are being written, share a transaction and thus a single disk sync.
   */
  commit(unit: readonly Statement[]): Promise<void>
  /** Returns all rows of a statement. */
  all(statement: Statement): Promise<readonly Row[]>
  /**
   * Executes statements that cannot run in a transaction. Waits up to `patience` milliseconds for
   * other processes.
   */
  execute(sql: string, patience?: number): Promise<void>
  /**
   * Locks a file for the lifetime of this process. False if another process is checking the lock at
   * this moment.
   */
  lock(file: string): Promise<boolean>
  /** True if any process has locked a file. With `remove`, removes the file if it is not locked. */
  isLocked(file: string, options?: { readonly remove: boolean }): Promise<boolean>
  /** Finishes all pending work, then closes the database. */
  close(): Promise<void>
}

/** A row of a result. */
export type Row = Readonly<Record<string, Cell>>

/** An error from SQLite; `code` is its extended result code. */
export class SqliteError extends Error {
  readonly code: number | undefined
  /** The reason why a unit was rejected, or an empty string if the statement provides none. */
  readonly refusal: string | undefined

  constructor({ message, errcode, refusal }: Failure) {
    super(message)
    this.name = 'SqliteError'
    this.code = errcode
    this.refusal = refusal
  }
}

interface Failure {
  readonly message: string
  readonly errcode?: number
  readonly refusal?: string
}

interface Settle<Value> {
  readonly resolve: (value: Value) => void
  readonly reject: (error: Error) => void
}

/** Starts a thread for a database. */
export function startDatabaseThread(): DatabaseThread {
  const worker = new Worker(new URL('../../../workers/sqlite.js', import.meta.url), {
    env: {},
    execArgv: [],
  })
  // The thread keeps the process alive only while requests are pending.
  worker.unref()
  const pending = new Map<number, Settle<unknown>>()
  let lastId = 0
  let ended: Error | undefined
  let units: (Settle<void> & { readonly unit: readonly Statement[] })[] = []
  let committing: Promise<void> | undefined
  let closing: Promise<void> | undefined

  worker.on('message', ({ id, value, failure }: Reply) => {
    const settle = pending.get(id)
    pending.delete(id)
    if (pending.size === 0) worker.unref()
    if (failure) settle?.reject(new SqliteError(failure))
    else settle?.resolve(value)
  })
  const end = (error: Error): void => {
    ended ??= error
    pending.forEach(({ reject }) => reject(error))
    pending.clear()
  }
  worker.on('error', end)
  worker.on('exit', () => end(new Error('The database thread has ended.')))

  function request<Value>(operation: string, options: object = {}): Promise<Value> {
    return new Promise<Value>((resolve, reject) => {
      if (ended) return reject(ended)
      lastId++
      pending.set(lastId, { resolve: resolve as (value: unknown) => void, reject })
      worker.ref()
      worker.postMessage({ id: lastId, operation, options })
    })
  }

  async function commitAll(): Promise<void> {
    // Include all units committed in this tick.
    await new Promise((resolve) => setImmediate(resolve))
    while (units.length > 0) {
      const batch = units
      units = []
      try {
        const results = await request<{ failure?: Failure }[]>('commit', {
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

  async function close(): Promise<void> {
    await committing
    const closed = ended ? undefined : request('close')
    // The database is closing, so reject all later requests.
    ended ??= new Error('The database thread has ended.')
    await closed
    await worker.terminate()
  }

  return {
    open: (file, setup) => request('open', { file, setup }),
    commit: (unit) =>
      new Promise((resolve, reject) => {
        units.push({ unit, resolve, reject })
        committing ??= commitAll()
      }),
    all: (statement) => request('all', statement),
    execute: (sql, patience = 10_000) => request('execute', { sql, patience }),
    lock: (file) => request('lock', { file }),
    isLocked: (file, { remove } = { remove: false }) => request('isLocked', { file, remove }),
    close: () => (closing ??= close()),
  }
}

interface Reply {
  readonly id: number
  readonly value?: unknown
  readonly failure?: Failure
}
