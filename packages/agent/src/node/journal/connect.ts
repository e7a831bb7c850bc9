import { realpathSync } from 'node:fs'
import { JournalError } from '../../journal/journal.ts'
import { type Answers, answersOf } from './answers.ts'
import { type Holders, holdersOf, processOf } from './holder.ts'
import { prepare } from './place.ts'
import { SETUP, upgrade } from './schema.ts'
import { startThread, type Thread } from './thread.ts'
import { readWalIndex, readWalSalt, type WalIndex } from './wal.ts'

/** An open journal. */
export interface Connection {
  readonly file: string
  readonly thread: Thread
  readonly holders: Holders
  readonly answers: Answers
  /** Gives the runs of processes that are dead free. */
  readonly releaseDead: () => Promise<void>
  close(): Promise<void>
}

export async function connect(
  file: string,
  warn: (message: string) => void = () => {},
): Promise<Connection> {
  await prepare(file)
  const real = realpathSync(file)
  const index = inUse.has(real) ? undefined : readWalIndex(real)
  inUse.set(real, (inUse.get(real) ?? 0) + 1)
  const thread = startThread()
  let holders: Holders | undefined
  try {
    holders = await holdersOf(file, thread)
    const [other] = await holders.others()
    if (index && other && readWalSalt(file) === undefined && index.frames > 0)
      throw removedBeneath(file, other)
    await thread.open(file, SETUP)
    await upgrade(thread, file)
    // Where others are at work, the log may have been emptied since.
    if (index && !other && (await isLost(thread, file, index))) {
      await markDamaged(thread)
      warn(
        `Part of the journal ${file} was removed or damaged after a process was killed. Finished runs are whole; those that had not ended cannot go on, and some may be missing.`,
      )
    }
    return connectionOf(file, thread, holders, () => leave(real))
  } catch (error) {
    await thread.close()
    leave(real)
    holders?.release()
    throw error
  }
}

/** The journals that this process has open, and how often. */
const inUse = new Map<string, number>()

function leave(real: string): void {
  const left = (inUse.get(real) ?? 1) - 1
  if (left > 0) inUse.set(real, left)
  else inUse.delete(real)
}

function connectionOf(
  file: string,
  thread: Thread,
  holders: Holders,
  left: () => void,
): Connection {
  const answers = answersOf(thread)
  const free = (holder: string): Promise<void> =>
    thread.commit([
      { sql: 'UPDATE runs SET holder = NULL WHERE holder = :holder', values: { holder } },
    ])
  return {
    file,
    thread,
    holders,
    answers,
    async releaseDead() {
      const sql = 'SELECT DISTINCT holder FROM runs WHERE holder IS NOT NULL'
      for (const { holder } of await thread.all({ sql }))
        if (!(await holders.isAlive(String(holder)))) await free(String(holder))
    },
    async close() {
      answers.stop(new JournalError('failed', `The journal ${file} was closed.`))
      // On a full disk it stays with this process until that ends.
      await free(holders.own).catch(() => {})
      await thread.close()
      left()
      holders.release()
    },
  }
}

/** Frames of the log that were durable are missing: it was removed, cut or damaged after a process was killed. */
async function isLost(thread: Thread, file: string, before: WalIndex): Promise<boolean> {
  if (before.frames === before.moved) return false
  const [row] = await thread.all({ sql: 'PRAGMA wal_checkpoint(PASSIVE)' })
  const frames = Number(row?.['log'])
  // A sound log of another time was begun after all of the one before was moved.
  const isOther = frames > 0 && readWalSalt(file) !== before.salt
  return frames < before.frames && !isOther
}

async function markDamaged(thread: Thread): Promise<void> {
  const damage =
    'The last records of this run may be lost, because part of the journal was removed or damaged. It can be read, but not go on: what it did since is not known. Begin a new run.'
  const sql = 'UPDATE runs SET damage = :damage WHERE reason IS NULL AND damage IS NULL'
  await thread.commit([{ sql, values: { damage } }])
}

function removedBeneath(file: string, holder: string): JournalError {
  return new JournalError(
    'corrupt',
    `The file ${file}-wal was removed while process ${processOf(holder)} is using the journal. Stop that process, then try again.`,
  )
}
