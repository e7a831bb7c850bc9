import { randomUUID } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  rmSync,
  type Stats,
  statfsSync,
  statSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { JournalError } from '../../journal/journal.ts'
import { makeFolder } from '../make-folder.ts'
import { SETUP, upgrade } from './schema.ts'
import { startDatabaseThread } from './database-thread.ts'

/** Creates the journal file if it is missing, and checks that only its owner can read it. */
export async function prepareJournalFile(file: string): Promise<void> {
  const folder = dirname(file)
  makeFolder(folder)
  checkFolder(folder)
  if (!statusOf(file)) await create(file)
  checkFile(file)
}

/** The file gets its name only when it is complete, so that no process ever finds half a journal. */
async function create(file: string): Promise<void> {
  const draft = `${file}.${randomUUID()}`
  const thread = startDatabaseThread()
  try {
    closeSync(openSync(draft, 'wx', 0o600))
    // Deleted runs can then be cut off the file. Nobody sees the draft, so that it is made durable only once.
    await thread.open(draft, `${SETUP} PRAGMA synchronous = OFF; PRAGMA auto_vacuum = INCREMENTAL`)
    await upgrade(thread, draft)
    // Only now, or part of it would be left in the draft's log.
    await thread.all({ sql: 'PRAGMA journal_mode = WAL' })
    await thread.close()
    sync(draft)
    linkSync(draft, file)
    sync(dirname(file))
  } catch (error) {
    // Another process created it in the meantime.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
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
