import { randomUUID } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statfsSync,
  type Stats,
  statSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { openRegularFile } from '@toolglot/permissions/node/internal'
import { JournalError } from '../../journal/journal.ts'
import { JOURNAL_VERSION } from '../../journal/storage.ts'
import { makeFolder } from '../state-folder.ts'
import { type DatabaseThread, SqliteError, startDatabaseThread } from './database-thread.ts'

/**
 * Creates the journal file if it is missing or has another version, and makes sure that only its
 * owner can read it. Returns a sentence for people if a journal was moved aside. `isOpen` is called
 * once the file exists and returns true if this process has it open.
 */
export async function prepareJournalFile(
  file: string,
  isOpen: () => boolean,
): Promise<string | undefined> {
  const folder = dirname(file)
  makeFolder(folder)
  checkFolder(folder)
  if (!statusOf(file)) await create(file)
  checkFile(file)
  return isOpen() ? undefined : await moveAside(file)
}

/**
 * Renames the file only when it is complete, so that no process ever finds an incomplete journal.
 */
async function create(file: string): Promise<void> {
  await withDraft(file, (draft) => {
    try {
      linkSync(draft, file)
    } catch (error) {
      // Another process created it in the meantime.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  })
}

/** Creates an empty journal under a temporary name, and calls `place` to rename it. */
async function withDraft(file: string, place: (draft: string) => void): Promise<void> {
  const draft = `${file}.${randomUUID()}`
  const thread = startDatabaseThread()
  try {
    closeSync(openSync(draft, 'wx', 0o600))
    // auto_vacuum allows the file to shrink when runs are deleted. No other process uses the draft,
    // so it is synced only once, at the end.
    await thread.open(draft, `${SETUP} PRAGMA synchronous = OFF; PRAGMA auto_vacuum = INCREMENTAL`)
    await createTables(thread)
    // Enabled only now, because otherwise part of the journal would be in the draft's log.
    await thread.all({ sql: 'PRAGMA journal_mode = WAL' })
    await thread.close()
    sync(draft)
    place(draft)
    sync(dirname(file))
  } finally {
    await thread.close()
    for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(draft + suffix, { force: true })
  }
}

/** Makes a file's content or a folder's entries durable. */
function sync(path: string): void {
  const handle = openSync(path, 'r')
  fsyncSync(handle)
  closeSync(handle)
}

/**
 * Replaces a journal of another version with a new one and renames the old one. Returns a sentence
 * about that for people, or undefined if the journal has the current version or another process has
 * already replaced it. Fails as `busy` while a process uses the journal.
 */
async function moveAside(file: string): Promise<string | undefined> {
  if (!isOther(versionOf(file))) return undefined
  const lock = startDatabaseThread()
  try {
    // Only one process moves it at a time, because two processes that have the journal open could
    // not close its log. The lock file stays, so that all processes lock the same file.
    await lock.open(`${file}.moving`, '')
    await lock.execute('BEGIN EXCLUSIVE', LOCK_PATIENCE)
    const version = versionOf(file)
    if (!isOther(version)) return undefined
    const aside = await replace(file, version)
    return `The journal ${file} has version ${version}, but this toolglot uses version ${JOURNAL_VERSION}, so it was moved to ${aside} and a new one was started; nothing was deleted.`
  } catch (error) {
    if (!(error instanceof SqliteError) || ((error.code ?? 0) & 0xff) !== 5) throw error
    throw new JournalError(
      'busy',
      `The journal ${file} has a different version than this toolglot (${JOURNAL_VERSION}), and another process is using it. Stop that process, then try again.`,
    )
  } finally {
    await lock.close()
  }
}

function isOther(version: number | undefined): version is number {
  return version !== undefined && version !== JOURNAL_VERSION
}

/**
 * Replaces a journal with an empty one, so that a journal exists at any time. Returns the new name
 * of the old journal.
 */
async function replace(file: string, version: number): Promise<string> {
  const { ino } = statSync(file)
  const thread = startDatabaseThread()
  try {
    await thread.open(file, '')
    const tables = await thread.all({ sql: `SELECT 1 FROM sqlite_schema WHERE name = 'records'` })
    if (tables.length === 0) {
      rmSync(`${file}.moving`, { force: true })
      throw new JournalError('corrupt', `${file} is not a journal. Choose another file.`)
    }
    // Moves the log into the file. Both statements fail while another process has the journal open.
    await thread.execute('PRAGMA journal_mode = DELETE', PATIENCE)
    await thread.execute('BEGIN EXCLUSIVE', PATIENCE)
    if (statSync(file).ino !== ino)
      throw new JournalError('busy', `The journal ${file} was replaced. Try again.`)
    const aside = linkAside(file, `${file}.version-${version}`)
    await withDraft(file, (draft) => renameSync(draft, file))
    return aside
  } finally {
    await thread.close()
  }
}

/** The time to wait for processes that are closing the journal, in milliseconds. */
const PATIENCE = 2000

/** The time to wait for a process that is moving the journal, in milliseconds. */
const LOCK_PATIENCE = 10_000

/** Links a file under an unused name. A process that died may have linked it already. */
function linkAside(file: string, name: string): string {
  for (let number = 1; ; number++) {
    const path = number === 1 ? name : `${name}-${number}`
    try {
      linkSync(file, path)
      return path
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      if (statSync(path).ino === statSync(file).ino) return path
    }
  }
}

/**
 * The version in the header of a database, or undefined if there is none. It is written before the
 * log exists and never changes. Call this only while the file is not open in this process: closing
 * it would release SQLite's locks.
 */
function versionOf(file: string): number | undefined {
  const opened = openRegularFile(file)
  if (!('descriptor' in opened)) return undefined
  try {
    const header = Buffer.alloc(64)
    const length = readSync(opened.descriptor, header, 0, header.length, 0)
    const isDatabase = length === header.length && header.toString('latin1', 0, 15) === MAGIC
    return isDatabase ? header.readUInt32BE(60) : undefined
  } finally {
    closeSync(opened.descriptor)
  }
}

/** The first bytes of every SQLite database. */
const MAGIC = 'SQLite format 3'

function checkFolder(folder: string): void {
  const { mode } = statSync(folder)
  if (mode & 0o002 && !(mode & 0o1000)) {
    throw new JournalError(
      'failed',
      `${folder} is writable by everyone, so the journal cannot be kept there. Run chmod go-w ${folder}, or choose another file.`,
    )
  }
  if (process.platform === 'linux' && NETWORK_TYPES.has(statfsSync(folder).type)) {
    throw new JournalError(
      'failed',
      `${folder} is on a network file system, where files cannot be locked reliably. Choose a file on a local disk.`,
    )
  }
}

/** The Linux file system types of NFS, SMB and CIFS. */
const NETWORK_TYPES = new Set([0x6969, 0x517b, 0xfe534d42, 0xff534d42])

function checkFile(file: string): void {
  const status = statusOf(file)
  if (!status?.isFile())
    throw new JournalError('failed', `${file} is not a regular file. Choose another file.`)
  const user = process.getuid?.()
  if (user !== undefined && status.uid !== user) {
    throw new JournalError(
      'failed',
      `The journal ${file} belongs to another user (${status.uid}; this is ${user}). Run as that user, or choose another file.`,
    )
  }
  if (status.size === 0) {
    throw new JournalError(
      'corrupt',
      `The journal ${file} is empty, so its runs are lost. Restore it from a backup, or remove it to start over.`,
    )
  }
  if (status.mode & 0o077) chmodSync(file, 0o600)
}

function statusOf(file: string): Stats | undefined {
  return lstatSync(file, { throwIfNoEntry: false })
}

/**
 * Commits survive a power failure (`synchronous = FULL`), deleted data is overwritten, corrupt
 * pages are detected when they are read, and the log shrinks after a large transaction.
 */
export const SETUP = `
  PRAGMA synchronous = FULL;
  PRAGMA temp_store = MEMORY;
  PRAGMA foreign_keys = ON;
  PRAGMA secure_delete = ON;
  PRAGMA trusted_schema = OFF;
  PRAGMA cell_size_check = ON;
  PRAGMA journal_size_limit = 8388608;`

const TABLES = [
  `CREATE TABLE runs (
    run TEXT PRIMARY KEY,
    name TEXT,
    prompt TEXT,
    model TEXT,
    folder TEXT,
    protocol TEXT,
    owner TEXT,
    fork_run TEXT,
    fork_turn INTEGER,
    input REAL NOT NULL DEFAULT 0,
    output REAL NOT NULL DEFAULT 0,
    cached REAL,
    reasoning REAL,
    cost REAL,
    estimated INTEGER,
    started INTEGER NOT NULL,
    last INTEGER NOT NULL,
    records INTEGER NOT NULL DEFAULT 0,
    turns INTEGER NOT NULL DEFAULT 0,
    reason TEXT,
    imported INTEGER NOT NULL DEFAULT 0,
    damage TEXT,
    holder TEXT
  ) STRICT`,
  'CREATE INDEX runs_last ON runs (last)',
  'CREATE INDEX runs_open ON runs (run) WHERE reason IS NULL',
  `CREATE TABLE records (
    run TEXT NOT NULL REFERENCES runs (run) ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    key TEXT NOT NULL,
    kind TEXT NOT NULL,
    value TEXT NOT NULL,
    time INTEGER NOT NULL,
    digest TEXT NOT NULL,
    UNIQUE (run, seq),
    UNIQUE (run, key, kind)
  ) STRICT`,
  "CREATE INDEX records_waits ON records (run, key) WHERE kind = 'wait'",
  // The time at which old runs were last deleted in the background.
  'CREATE TABLE upkeep (pruned INTEGER NOT NULL) STRICT',
  'INSERT INTO upkeep VALUES (0)',
  `PRAGMA user_version = ${JOURNAL_VERSION}`,
]

/** Creates the tables of a journal in an empty database. */
function createTables(thread: DatabaseThread): Promise<void> {
  return thread.commit(TABLES.map((sql) => ({ sql })))
}
