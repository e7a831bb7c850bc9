// A thread with one SQLite database, so that nobody waits for the disk but who asked for something to be durable. It is
// plain JavaScript, so that it runs from sources as it does when built. What it is asked for is in src/node/journal/thread.ts.
import { createHash } from 'node:crypto'
import { rmSync, statSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'

// Node 22 says of node:sqlite that it is experimental; nothing else in this thread warns.
process.removeAllListeners('warning')
const { DatabaseSync } = await load()

/** @typedef {import('@photostructure/sqlite').DatabaseSyncInstance} Database */
/** @typedef {import('@photostructure/sqlite').StatementSyncInstance} Prepared */
/** @typedef {import('../src/node/journal/thread.ts').Statement} Statement */

/** @type {Database | undefined} */
let database
/** @type {Map<string, Prepared>} */
const prepared = new Map()
/** @type {Map<string, Database>} */
const locks = new Map()
let file = ''
/** @type {string | undefined} */
let place
/** @type {unknown} */
let broken

/**
 * What SQLite calls its result codes, as the package leaves them out where rows are read.
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

/** @type {Record<string, (given: any) => unknown>} */
const operations = { open, commit, all, lock, isLocked, close }

parentPort?.on('message', ({ id, operation, given }) => {
  try {
    parentPort?.postMessage({ id, value: operations[operation]?.(given) })
  } catch (error) {
    parentPort?.postMessage({ id, failure: plain(error) })
  }
})

/** Where Node has none, or one that lacks functions of our own, the same from a package. */
async function load() {
  try {
    // @ts-ignore Node 20 has none.
    const builtIn = await import('node:sqlite')
    if ('function' in builtIn.DatabaseSync.prototype) return builtIn
  } catch {
    // No such module.
  }
  return import('@photostructure/sqlite')
}

/** @param {{ file: string, setup: string }} given */
function open({ file: path, setup }) {
  file = path
  const connection = /** @type {Database} */ (new DatabaseSync(path, { timeout: 10_000 }))
  database = connection
  connection.function('digest', { deterministic: true, varargs: true }, digest)
  connection.exec(setup)
}

/** @param {unknown[]} parts the last is long, so it is not copied */
function digest(...parts) {
  const hash = createHash('sha256').update(JSON.stringify(parts.slice(0, -1)))
  return hash.update(String(parts.at(-1))).digest('base64url')
}

/**
 * All in one transaction. A unit that is refused leaves no trace and does not harm the others; any other failure is
 * everybody's.
 *
 * @param {{ units: Statement[][] }} given
 */
function commit({ units }) {
  if (broken) throw broken
  const { exec } = opened()
  exec('BEGIN IMMEDIATE')
  try {
    const results = units.map(attempt)
    exec('COMMIT')
    if (!isInPlace()) throw Object.assign(new Error('it was removed'), { errcode: 10 })
    return results
  } catch (error) {
    rollBack()
    // After a failed fsync nobody knows what the disk holds, and asking again would only hide it.
    if (isFailedWrite(error)) broken = error
    throw error
  }
}

/** Somebody who removes the files of a database does not stop who writes to them, but nobody reads that again. */
function isInPlace() {
  const now = [file, `${file}-wal`].map((path) => statSync(path, { throwIfNoEntry: false })?.ino)
  place ??= now.join()
  return place === now.join()
}

/** @param {Statement[]} unit */
function attempt(unit) {
  const { exec } = opened()
  exec('SAVEPOINT unit')
  try {
    unit.forEach(({ sql, values, mustChange }) => {
      const { changes } = prepare(sql).run(values ?? {})
      if (mustChange && Number(changes) === 0) throw new Error('refused')
    })
    exec('RELEASE unit')
    return {}
  } catch (error) {
    if (!isOwn(error)) throw error
    exec('ROLLBACK TO unit')
    exec('RELEASE unit')
    return { failure: plain(error) }
  }
}

/** @param {Statement} given */
function all({ sql, values }) {
  return prepare(sql)
    .all(values ?? {})
    .map((row) => ({ .../** @type {object} */ (row) }))
}

/**
 * Locks a file until this process ends, however it ends. False: somebody looks at it just now.
 *
 * @param {{ file: string }} given
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
 * With `remove`, a file that is not locked goes, before anyone else can lock it.
 *
 * @param {{ file: string, remove: boolean }} given
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

function opened() {
  if (!database) throw new Error('No database is open.')
  const open = database
  return { exec: (/** @type {string} */ sql) => open.exec(sql), prepare: open.prepare.bind(open) }
}

/** @param {string} sql */
function prepare(sql) {
  let statement = prepared.get(sql)
  if (!statement) prepared.set(sql, (statement = opened().prepare(sql)))
  return statement
}

function rollBack() {
  try {
    opened().exec('ROLLBACK')
  } catch {
    // SQLite did already, as it does where it cannot write.
  }
}

/** A refusal, something that is there already, a value that is too large. @param {unknown} error */
function isOwn(error) {
  const { errcode, message } = plain(error)
  return errcode === undefined ? message === 'refused' : [18, 19].includes(errcode & 0xff)
}

/** @param {unknown} error */
function isBusy(error) {
  return ((plain(error).errcode ?? 0) & 0xff) === 5
}

/** An input or output error, but not that of a shared file that no space is left for. @param {unknown} error */
function isFailedWrite(error) {
  const { errcode = 0 } = plain(error)
  return (errcode & 0xff) === 10 && errcode !== 4874
}

/**
 * @param {unknown} error
 * @returns {{ message: string, errcode: number | undefined }}
 */
function plain(error) {
  const { message, errcode } = /** @type {{ message: string, errcode?: number }} */ (error)
  return { message, errcode: errcode ?? codes[message] }
}
