import { closeSync, readSync, realpathSync } from 'node:fs'
import { openRegularFile } from '@toolglot/permissions/node/internal'
import { JournalError } from '../../journal/journal.ts'
import { type DatabaseThread, startDatabaseThread } from './database-thread.ts'
import { type Holders, processIdOf, registerHolder } from './holders.ts'
import { prepareJournalFile, SETUP } from './prepare-file.ts'
import { type Watcher, watchJournal } from './watcher.ts'

/** An open journal database. */
export interface Connection {
  readonly file: string
  readonly thread: DatabaseThread
  readonly holders: Holders
  readonly watcher: Watcher
  /** Releases the runs held by processes that have died. */
  readonly releaseDeadHolders: () => Promise<void>
  close(): Promise<void>
}

/** Opens a journal database, creating it if necessary, and checks it for lost records. */
export async function connect(
  file: string,
  warn: (message: string) => void = () => {},
): Promise<Connection> {
  const { realPath, index } = await prepared(file, warn)
  const thread = startDatabaseThread()
  let holders: Holders | undefined
  try {
    holders = await registerHolder(file, thread)
    const [otherHolder] = await holders.others()
    if (index && otherHolder && isLogRemoved(realPath, index))
      throw removedWalError(file, otherHolder)
    // Other processes may have emptied the log since, if they are running or have closed the
    // journal.
    const isOnlyOne = openFiles.get(realPath) === 1
    const last = index && isOnlyOne ? readWalIndex(realPath) : index
    await thread.open(file, SETUP)
    if (last && !otherHolder && (await hasLostFrames(thread, file, last))) {
      await markDamaged(thread)
      warn(
        `Part of the journal ${file} was removed or damaged after a process was killed. Finished runs are complete. Unfinished runs cannot be resumed, and some may be missing.`,
      )
    }
    return connectionOf(file, thread, holders, () => markClosed(realPath))
  } catch (error) {
    await thread.close()
    markClosed(realPath)
    holders?.release()
    throw error
  }
}

/**
 * An existing journal file with the current version. `index` is the state of its log, unless this
 * process has the journal open.
 */
interface Prepared {
  readonly realPath: string
  readonly index: WalIndex | undefined
}

/**
 * Prepares one file at a time: reading a file while another connection opens it would release that
 * connection's locks.
 */
function prepared(file: string, warn: (message: string) => void): Promise<Prepared> {
  const now = preparing.catch(() => {}).then(() => prepare(file, warn))
  preparing = now
  return now
}

let preparing: Promise<unknown> = Promise.resolve()

async function prepare(file: string, warn: (message: string) => void): Promise<Prepared> {
  const moved = await prepareJournalFile(file, () => openFiles.has(realpathSync.native(file)))
  if (moved !== undefined) warn(moved)
  const realPath = realpathSync.native(file)
  const index = openFiles.has(realPath) ? undefined : readWalIndex(realPath)
  openFiles.set(realPath, (openFiles.get(realPath) ?? 0) + 1)
  return { realPath, index }
}

/** The journals that this process has open, with the number of connections. */
const openFiles = new Map<string, number>()

function markClosed(realPath: string): void {
  const left = (openFiles.get(realPath) ?? 1) - 1
  if (left > 0) openFiles.set(realPath, left)
  else openFiles.delete(realPath)
}

function connectionOf(
  file: string,
  thread: DatabaseThread,
  holders: Holders,
  onClose: () => void,
): Connection {
  const watcher = watchJournal(thread)
  const release = (holder: string): Promise<void> =>
    thread.commit([
      { sql: 'UPDATE runs SET holder = NULL WHERE holder = :holder', values: { holder } },
    ])
  return {
    file,
    thread,
    holders,
    watcher,
    async releaseDeadHolders() {
      const sql = 'SELECT DISTINCT holder FROM runs WHERE holder IS NOT NULL'
      for (const { holder } of await thread.all({ sql }))
        if (!(await holders.isAlive(String(holder)))) await release(String(holder))
    },
    async close() {
      watcher.stop(new JournalError('failed', `The journal ${file} was closed.`))
      // If the disk is full, this process holds its runs until it ends.
      await release(holders.own).catch(() => {})
      await thread.close()
      onClose()
      holders.release()
    },
  }
}

/**
 * True if the log is missing although it contained frames. A process that empties the log changes
 * its salt first.
 */
function isLogRemoved(file: string, before: WalIndex): boolean {
  if (before.frames === 0 || readWalSalt(file) !== undefined) return false
  const now = readWalIndex(file)
  return now !== undefined && now.frames > 0 && now.salt === before.salt
}

/**
 * True if durable frames of the log are missing: it was removed, truncated or damaged after a
 * process was killed.
 */
async function hasLostFrames(
  thread: DatabaseThread,
  file: string,
  before: WalIndex,
): Promise<boolean> {
  if (before.frames === before.checkpointed) return false
  const [row] = await thread.all({ sql: 'PRAGMA wal_checkpoint(PASSIVE)' })
  const frames = Number(row?.['log'])
  // A valid log with a different salt was started after a complete checkpoint of the previous one.
  const isNewLog = frames > 0 && readWalSalt(file) !== before.salt
  return frames < before.frames && !isNewLog
}

async function markDamaged(thread: DatabaseThread): Promise<void> {
  const damage =
    'The last records of this run may be lost, because part of the journal was removed or damaged. It can be read, but not resumed: its later effects are unknown. Start a new run.'
  const sql = 'UPDATE runs SET damage = :damage WHERE reason IS NULL AND damage IS NULL'
  await thread.commit([{ sql, values: { damage } }])
}

function removedWalError(file: string, holder: string): JournalError {
  return new JournalError(
    'corrupt',
    `The file ${file}-wal was removed while process ${processIdOf(holder)} is using the journal. Stop that process, then try again.`,
  )
}

/**
 * The state of a write-ahead log according to SQLite's shared index file. Must be read before this
 * process opens the database: closing the file later would release SQLite's locks.
 */
interface WalIndex {
  /** The number of durable frames. */
  readonly frames: number
  /** The number of frames already copied into the database. */
  readonly checkpointed: number
  /** Identifies the log. It changes whenever the log is emptied and restarted. */
  readonly salt: string
}

/**
 * Reads the index. If there is none, no process was interrupted, and the result is undefined. See
 * SQLite's WAL-index file format.
 */
export function readWalIndex(file: string): WalIndex | undefined {
  const bytes = readStart(`${file}-shm`, 100)
  if (!bytes || bytes[12] !== 1) return undefined
  const numbers = new Uint32Array(bytes.buffer, bytes.byteOffset, 25)
  return {
    frames: numbers[4] ?? 0,
    checkpointed: numbers[24] ?? 0,
    salt: Buffer.from(bytes.subarray(32, 40)).toString('hex'),
  }
}

/** Reads the salt of the log, or returns undefined if there is no log. */
function readWalSalt(file: string): string | undefined {
  const bytes = readStart(`${file}-wal`, 32)
  return bytes && Buffer.from(bytes.subarray(16, 24)).toString('hex')
}

function readStart(file: string, length: number): Uint8Array | undefined {
  const opened = openRegularFile(file)
  if (!('descriptor' in opened)) return undefined
  try {
    const bytes = new Uint8Array(length)
    return readSync(opened.descriptor, bytes, 0, length, 0) === length ? bytes : undefined
  } finally {
    closeSync(opened.descriptor)
  }
}
