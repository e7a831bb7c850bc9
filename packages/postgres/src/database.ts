import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { isConnectionError, isUnprepared } from './journal-error.ts'

/** A row of a result. */
export type Row = Readonly<Record<string, unknown>>

/** Executes a statement. `@name` in it is a table of the journal. */
export type Query = (sql: string, values?: readonly unknown[]) => Promise<readonly Row[]>

/** The connections to a database. Errors come from `pg` unchanged. */
export interface Database {
  /** The address without passwords. */
  readonly place: string
  readonly query: Query
  /** Runs frequent statements that have one plan for all values. Connections cache the plan. */
  readonly prepared: Query
  /** Runs `work` in one transaction, which is rolled back if it fails. */
  readonly transaction: <Value>(work: (query: Query) => Promise<Value>) => Promise<Value>
  /** Opens a separate connection. */
  readonly connect: () => Promise<pg.Client>
  close(): Promise<void>
}

/** The address of a database, and the options of its connections. */
export interface DatabaseOptions {
  /** The address, for example `postgres://user:password@host:5432/database`. */
  readonly url: string
  /** The schema of the journal's tables. Default: `toolglot`. */
  readonly schema?: string | undefined
  /** The maximum number of connections, not counting one for notices. Default: 10. */
  readonly maxConnections?: number | undefined
}

/** Opens a database. The connection is made on first use. */
export function openDatabase({
  url,
  schema = 'toolglot',
  maxConnections = 10,
}: DatabaseOptions): Database {
  const place = placeOf(url)
  const inSchema = schemaNames(schema)
  const settings = {
    connectionString: url,
    application_name: 'toolglot',
    connectionTimeoutMillis: 5000,
    keepAlive: true,
  }
  const pool = new pg.Pool({ ...settings, max: maxConnections, allowExitOnIdle: true })
  // An idle connection broke. Another is opened when needed.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))

  const places = limitedPlaces(maxConnections)
  let isKnown = false
  /** The error of the last attempt to connect. */
  let failure: unknown

  /**
   * Connects, and retries while a known server restarts. This is safe because nothing has been
   * sent.
   */
  async function connect(): Promise<pg.PoolClient> {
    const deadline = performance.now() + (isKnown ? PATIENCE : 0)
    for (let wait = 50; ; wait = Math.min(wait * 2, 1000)) {
      try {
        const client = await pool.connect()
        isKnown = true
        failure = undefined
        return client
      } catch (error) {
        if (!isConnectionError(error) || performance.now() > deadline) {
          failure = error
          throw error
        }
        await pause(wait)
      }
    }
  }

  async function using<Value>(work: (client: pg.PoolClient) => Promise<Value>): Promise<Value> {
    // The pool would count the wait for a free connection as connection time.
    const hasWaited = await places.take()
    try {
      // After a failure, callers that waited don't retry.
      if (hasWaited && failure !== undefined) throw failure
      const client = await connect()
      try {
        const value = await work(client)
        client.release()
        return value
      } catch (error) {
        client.release(isConnectionError(error))
        throw error
      }
    } finally {
      places.free()
    }
  }

  const queryOn =
    (client: pg.PoolClient): Query =>
    async (sql, values = []) => {
      const { rows } = await client.query<Row>(inSchema(sql), [...values])
      return rows
    }

  const nameOf = statementNames()
  /** A pooler may send a statement to any connection, and most of them have not prepared it. */
  let canPrepare = true

  return {
    place,
    query: (sql, values) => using((client) => queryOn(client)(sql, values)),
    prepared: (sql, values = []) =>
      using(async (client) => {
        if (canPrepare) {
          try {
            const text = inSchema(sql)
            const { rows } = await client.query<Row>({
              name: nameOf(text),
              text,
              values: [...values],
            })
            return rows
          } catch (error) {
            // The statement was not executed.
            if (!isUnprepared(error)) throw error
            canPrepare = false
          }
        }
        return queryOn(client)(sql, values)
      }),
    transaction: (work) =>
      using(async (client) => {
        const query = queryOn(client)
        await query('BEGIN')
        try {
          const value = await work(query)
          await query('COMMIT')
          return value
        } catch (error) {
          await query('ROLLBACK').catch(() => {})
          throw error
        }
      }),
    async connect() {
      const client = new pg.Client(settings)
      client.on('error', () => {})
      await client.connect()
      return client
    },
    close: () => pool.end(),
  }
}

/** A semaphore. When all places are taken, callers wait in the order of arrival. */
function limitedPlaces(count: number): { take(): Promise<boolean>; free(): void } {
  const waiting: (() => void)[] = []
  let left = count
  return {
    /** Returns true if the caller had to wait. */
    async take() {
      if (left > 0) {
        left--
        return false
      }
      await new Promise<void>((resolve) => waiting.push(resolve))
      return true
    },
    free() {
      const next = waiting.shift()
      if (next) next()
      else left++
    },
  }
}

/** The maximum time for a server's restart, in milliseconds. */
const PATIENCE = 10_000

/** The host, port and database of a URL. */
export function placeOf(url: string): string {
  try {
    const { hostname, port, pathname } = new URL(url)
    return `${hostname || 'localhost'}${port && `:${port}`}${pathname}`
  } catch {
    throw new TypeError('The URL must be like postgres://user:password@host:5432/database.')
  }
}

/**
 * Creates names for prepared statements. The same name refers to the same statement in every
 * process. A plan made for empty tables is bad for full ones, so a statement gets a new name, and
 * thus a new plan, after 10, 100, 1000 … executions.
 */
function statementNames(): (text: string) => string {
  const known = new Map<string, { readonly name: string; count: number }>()
  return (text) => {
    const found = known.get(text) ?? {
      name: `toolglot_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`,
      count: 0,
    }
    known.set(text, found)
    return `${found.name}_${String(found.count++).length}`
  }
}

/** Returns a function that prefixes table names with the schema. */
function schemaNames(schema: string): (sql: string) => string {
  if (!/^[a-z_][a-z0-9_]{0,47}$/.test(schema))
    throw new TypeError(
      `schema must have at most 48 lowercase letters, digits and _, not ${JSON.stringify(schema)}.`,
    )
  const known = new Map<string, string>()
  return (sql) => {
    const found = known.get(sql) ?? sql.replaceAll(/@(?=\w)/g, `"${schema}".`)
    if (known.size < 100) known.set(sql, found)
    return found
  }
}
