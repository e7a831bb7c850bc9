import { JournalError, type JournalProblem } from '../../journal/journal.ts'
import { SqliteError } from './database-thread.ts'

/** Runs work on a journal and converts its errors to JournalErrors. */
export async function withJournalErrors<Value>(
  file: string,
  work: () => Promise<Value>,
): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    throw toJournalError(error, file)
  }
}

/** Converts an error to one that explains the problem and the solution to people. */
export function toJournalError(error: unknown, file: string): Error {
  if (error instanceof JournalError || error instanceof TypeError || error instanceof RangeError)
    return error
  const code = error instanceof SqliteError ? (error.code ?? 0) : 0
  const systemCode = (error as NodeJS.ErrnoException).code ?? ''
  const [problem, text] =
    BY_SQLITE_CODE[code] ??
    BY_SQLITE_CODE[code & 0xff] ??
    BY_SYSTEM_CODE[systemCode] ??
    (['failed', UNUSABLE] as const)
  const message = `${text.replace('FILE', file)} (${(error as Error).message})`
  return new JournalError(problem, message, { cause: error })
}

/**
 * The reason why a commit was rejected, or undefined if it succeeded. `taken`: a record or run with
 * this key already exists. `refused`: a statement with `mustChange` changed nothing.
 */
export async function refusalOf(commit: Promise<void>): Promise<string | undefined> {
  try {
    await commit
    return undefined
  } catch (error) {
    if (error instanceof SqliteError && error.refusal !== undefined)
      return error.refusal || 'refused'
    if (error instanceof SqliteError && ((error.code ?? 0) & 0xff) === 19) return 'taken'
    throw error
  }
}

const UNUSABLE = 'The journal FILE cannot be used.'
const FAILED =
  'Writing to FILE failed, and the content of the disk is unknown, so nothing more is recorded. Check the disk, then start again: earlier records are safe.'
const FULL =
  'There is no space left for the journal FILE, so nothing was started. Free some space and resume the run: nothing is lost.'
const READ_ONLY =
  'The journal FILE is not writable. Give this user write access to it and its folder, or choose another file.'
const CORRUPT =
  'The journal FILE is damaged. Keep a copy of it, and restore it from a backup or choose another file.'

/** Problems by SQLite result code. */
const BY_SQLITE_CODE: Readonly<Record<number, readonly [JournalProblem, string]>> = {
  5: ['busy', 'Another process has locked the journal FILE. Stop it or wait, then try again.'],
  8: ['read_only', READ_ONLY],
  10: ['failed', FAILED],
  11: ['corrupt', CORRUPT],
  13: ['full', FULL],
  14: ['read_only', READ_ONLY],
  26: [
    'corrupt',
    'FILE is not a journal, or is damaged. Choose another file, or restore it from a backup.',
  ],
  // SQLITE_IOERR_SHMSIZE: the shared file could not grow.
  4874: ['full', FULL],
}

/** Problems by system error code. */
const BY_SYSTEM_CODE: Readonly<Record<string, readonly [JournalProblem, string]>> = {
  EACCES: ['read_only', READ_ONLY],
  EDQUOT: ['full', FULL],
  ENOSPC: ['full', FULL],
  EPERM: ['read_only', READ_ONLY],
  EROFS: ['read_only', READ_ONLY],
}
