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
import { startThread } from './thread.ts'

/** Makes sure that there is a journal which only its owner can read, or says why not. */
export async function prepare(file: string): Promise<void> {
  const folder = dirname(file)
  makeFolder(folder)
  checkFolder(folder)
  if (!statusOf(file)) await create(file)
  checkFile(file)
}

/** One that is not whole has another name, so that nobody ever finds half a journal. */
async function create(file: string): Promise<void> {
  const draft = `${file}.${randomUUID()}`
  const thread = startThread()
  try {
    closeSync(openSync(draft, 'wx', 0o600))
    await thread.open(draft, SETUP)
    await upgrade(thread, draft)
    // Only now, or part of it would be in a log that stays behind.
    await thread.all({ sql: 'PRAGMA journal_mode = WAL' })
    await thread.close()
    linkSync(draft, file)
    sync(dirname(file))
  } catch (error) {
    // Another process was faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await thread.close()
    for (const end of ['', '-journal', '-wal', '-shm']) rmSync(draft + end, { force: true })
  }
}

/** Makes the names in a folder durable. */
function sync(folder: string): void {
  const opened = openSync(folder, 'r')
  fsyncSync(opened)
  closeSync(opened)
}

function checkFolder(folder: string): void {
  const { mode } = statSync(folder)
  if (mode & 0o002 && !(mode & 0o1000)) {
    throw new JournalError(
      'failed',
      `Anyone may put other files into ${folder}, so no journal is kept there. Run chmod go-w ${folder}, or name another file.`,
    )
  }
  if (process.platform === 'linux' && NETWORK.has(statfsSync(folder).type)) {
    throw new JournalError(
      'failed',
      `${folder} is on another machine, where files cannot be locked reliably. Name a file on this machine's own disk.`,
    )
  }
}

/** What Linux calls NFS, SMB and CIFS. */
const NETWORK = new Set([0x6969, 0x517b, 0xfe534d42, 0xff534d42])

function checkFile(file: string): void {
  const status = statusOf(file)
  if (!status?.isFile())
    throw new JournalError('failed', `${file} is no file of its own. Name another one.`)
  const user = process.getuid?.()
  if (user !== undefined && status.uid !== user) {
    throw new JournalError(
      'failed',
      `The journal ${file} belongs to another user (${status.uid}; this is ${user}). Run as that user, or name another file.`,
    )
  }
  if (status.size === 0) {
    throw new JournalError(
      'corrupt',
      `The journal ${file} is empty, which it never is: its runs are lost. Bring it back from a backup, or remove it to begin anew.`,
    )
  }
  if (status.mode & 0o077) chmodSync(file, 0o600)
}

function statusOf(file: string): Stats | undefined {
  return lstatSync(file, { throwIfNoEntry: false })
}
