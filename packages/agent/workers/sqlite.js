// A thread with a single SQLite database, so that the main thread never waits for the disk. Plain
// JavaScript, so that it runs both from sources and from the build.
// src/node/journal/database-thread.ts sends it requests.
import { createHash } from 'node:crypto'
import { rmSync, statSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'

// Node 22 warns that node:sqlite is experimental. Nothing else in this thread causes warnings.
process.removeAllListeners('warning')
const { DatabaseSync } = await load()

/** @typedef {import('@photostructure/sqlite').DatabaseSyncInstance} Database */
/** @typedef {import('@photostructure/sqlite').StatementSyncInstance} Prepared */
/** @typedef {import('../src/node/journal/database-thread.ts').Statement} Statement */

/** The time to wait for other processes, in milliseconds. */
const TIMEOUT = 10_000

/** @type {Database | undefined} */
let database
/** @type {Map<string, Prepared>} */
const prepared = new Map()
/** @type {Map<string, Database>} */
const locks = new Map()
let file = ''
/** @type {string | undefined} */
let identity
/** @type {unknown} */
let writeError

/**
 * SQLite's result codes by message, because the package omits the code when reading rows.
 *
 * @type {Record<string, number>}
 */
const codes = {
  'database is locked': 5,
  'attempt to write a readonly database': 8,
  'disk I/O error': 10,
  'database disk image is malformed': 11,
  'database or disk is full': 13,
  'unable to open database file': 14,
  'file is not a database': 26,
}

/** @type {Record<string, (options: any) => unknown>} */
const operations = { open, commit, all, execute, lock, isLocked, close }

parentPort?.on('message', ({ id, operation, options }) => {
  try {
    const value = operations[operation]?.(options)
    parentPort?.postMessage({ id, value }, buffersOf(value))
  } catch (error) {
    parentPort?.postMessage({ id, failure: plainError(error) })
  }
})

/**
 * Loads node:sqlite, or a package with the same API if Node has no SQLite or it lacks custom
 * functions.
 */
async function load() {
  try {
    // @ts-ignore Missing in Node 20.
    const builtIn = await import('node:sqlite')
    if ('function' in builtIn.DatabaseSync.prototype) return builtIn
  } catch {
    // No such module.
  }
  return import('@photostructure/sqlite')
}

/**
 * The large values in rows, which are moved to the other thread instead of copied.
 *
 * @param {unknown} rows
 */
function buffersOf(rows) {
  if (!Array.isArray(rows)) return []
  return rows
    .flatMap((row) => Object.values(row))
    .filter((cell) => cell instanceof Uint8Array && cell.byteLength === cell.buffer.byteLength)
    .map(({ buffer }) => buffer)
}

/** @param {{ file: string, setup: string }} options */
function open({ file: path, setup }) {
  file = path
  const connection = /** @type {Database} */ (new DatabaseSync(path, { timeout: TIMEOUT }))
  database = connection
  connection.function('digest', { deterministic: true, varargs: true }, digest)
  connection.exec(setup)
}

/** @param {unknown[]} parts the last one is a long text or its bytes, so it is not copied */
function digest(...parts) {
  const hash = createHash('sha256').update(JSON.stringify(parts.slice(0, -1)))
  const last = parts.at(-1)
  return hash.update(last instanceof Uint8Array ? last : String(last)).digest('base64url')
}

/**
 * Commits all units in a single transaction. A rejected unit leaves no trace and does not affect
 * the others. Any other failure fails all units.
 *
 * @param {{ units: Statement[][] }} options
 */
function commit({ units }) {
  if (writeError) throw writeError
  const { exec } = openDatabase()
  exec('BEGIN IMMEDIATE')
  try {
    const results = units.map(attempt)
    exec('COMMIT')
    if (!isInPlace()) throw Object.assign(new Error('the file was removed'), { errcode: 10 })
    return results
  } catch (error) {
    rollBack()
    // After a failed fsync, the content of the disk is unknown, and a retry would only hide that.
    if (isFailedWrite(error)) writeError = error
    throw error
  }
}

/**
 * True if the files still exist: writing to removed files succeeds, but the data cannot be read
 * again.
 */
function isInPlace() {
  const now = [file, `${file}-wal`].map((path) => statSync(path, { throwIfNoEntry: false })?.ino)
  identity ??= now.join()
  return identity === now.join()
}

/** @param {Statement[]} unit */
function attempt(unit) {
  const { exec } = openDatabase()
  exec('SAVEPOINT unit')
  try {
    unit.forEach(({ sql, values = {}, mustChange, refuses }) => {
      if (refuses) return refuse(prepare(sql).get(values))
      const { changes } = prepare(sql).run(values)
      if (mustChange && Number(changes) === 0) throw refused('')
    })
    exec('RELEASE unit')
    return {}
  } catch (error) {
    if (!isUnitError(error)) throw error
    exec('ROLLBACK TO unit')
    exec('RELEASE unit')
    return { failure: plainError(error) }
  }
}

/** @param {object | undefined} row */
function refuse(row) {
  const [why] = Object.values(row ?? {})
  if (typeof why === 'string') throw refused(why)
}

/** @param {string} refusal */
function refused(refusal) {
  return Object.assign(new Error('refused'), { refusal })
}

/** @param {Statement} options */
function all({ sql, values }) {
  return prepare(sql)
    .all(values ?? {})
    .map((row) => ({ .../** @type {object} */ (row) }))
}

/** @param {{ sql: string, patience: number }} options */
function execute({ sql, patience }) {
  if (writeError) throw writeError
  const { exec } = openDatabase()
  try {
    exec(`PRAGMA busy_timeout = ${patience}`)
    exec(sql)
  } catch (error) {
    if (isFailedWrite(error)) writeError = error
    throw error
  } finally {
    exec(`PRAGMA busy_timeout = ${TIMEOUT}`)
  }
}

/**
 * Locks a file until this process ends for any reason. False if another process is checking the
 * lock at this moment.
 *
 * @param {{ file: string }} options
 */
function lock({ file }) {
  const connection = new DatabaseSync(file, { timeout: 0 })
  try {
    connection.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    locks.set(file, connection)
    return true
  } catch (error) {
    connection.close()
    if (isBusy(error)) return false
    throw error
  }
}

/**
 * With `remove`, an unlocked file is removed before another process can lock it.
 *
 * @param {{ file: string, remove: boolean }} options
 */
function isLocked({ file, remove }) {
  if (locks.has(file)) return true
  const connection = new DatabaseSync(file, { timeout: 0, readOnly: true })
  try {
    connection.exec('BEGIN; SELECT count(*) FROM sqlite_schema')
    if (remove) rmSync(file, { force: true })
    return false
  } catch (error) {
    if (isBusy(error)) return true
    throw error
  } finally {
    connection.close()
  }
}

function close() {
  prepared.clear()
  database?.close()
  database = undefined
  locks.forEach((connection) => connection.close())
  locks.clear()
}

function openDatabase() {
  if (!database) throw new Error('No database is open.')
  const open = database
  return { exec: (/** @type {string} */ sql) => open.exec(sql), prepare: open.prepare.bind(open) }
}

/** @param {string} sql */
function prepare(sql) {
  let statement = prepared.get(sql)
  if (!statement) prepared.set(sql, (statement = openDatabase().prepare(sql)))
  return statement
}

function rollBack() {
  try {
    openDatabase().exec('ROLLBACK')
  } catch {
    // SQLite already rolled back, as it does if it cannot write.
  }
}

/**
 * True if only its unit fails: a rejection, an existing key, or a value that is too large. @param
 * {unknown} error
 */
function isUnitError(error) {
  const { errcode, refusal } = plainError(error)
  return errcode === undefined ? refusal !== undefined : [18, 19].includes(errcode & 0xff)
}

/** @param {unknown} error */
function isBusy(error) {
  return ((plainError(error).errcode ?? 0) & 0xff) === 5
}

/**
 * True for an I/O error, except if there is no space left for the shared file.
 *
 * @param {unknown} error
 */
function isFailedWrite(error) {
  const { errcode = 0 } = plainError(error)
  return (errcode & 0xff) === 10 && errcode !== 4874
}

/**
 * @param {unknown} error
 * @returns {{ message: string, errcode: number | undefined, refusal: string | undefined }}
 */
function plainError(error) {
  const { message, errcode, refusal } =
    /** @type {{ message: string, errcode?: number, refusal?: string }} */ (error)
  return { message, errcode: errcode ?? codes[message], refusal }
}
