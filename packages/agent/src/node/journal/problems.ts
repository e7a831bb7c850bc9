import { JournalError, type JournalProblem } from '../../journal/journal.ts'
import { SqliteError } from './thread.ts'

/** Work on a journal; what fails in it is told as a person needs it. */
export async function telling<Value>(file: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    throw journalError(error, file)
  }
}

/** What went wrong, for a person: what it is, and what to do. */
export function journalError(error: unknown, file: string): Error {
  if (error instanceof JournalError || error instanceof TypeError || error instanceof RangeError)
    return error
  const code = error instanceof SqliteError ? (error.code ?? 0) : 0
  const system = (error as NodeJS.ErrnoException).code ?? ''
  const [problem, text] =
    BY_CODE[code] ?? BY_CODE[code & 0xff] ?? BY_SYSTEM[system] ?? (['failed', UNUSABLE] as const)
  const message = `${text.replace('FILE', file)} (${(error as Error).message})`
  return new JournalError(problem, message, { cause: error })
}

/** A statement that must change something changed nothing. */
export function isRefused(error: unknown): boolean {
  return error instanceof SqliteError && error.message === 'refused'
}

/** Something stands under this key already. */
export function isTaken(error: unknown): boolean {
  return error instanceof SqliteError && ((error.code ?? 0) & 0xff) === 19
}

const UNUSABLE = 'The journal FILE cannot be used.'
const FAILED =
  'Nothing more is recorded in FILE, since it is not known what the disk holds. Look after the disk, then start again: what was recorded before counts.'
const FULL =
  'There is no space left for the journal FILE, so nothing was begun. Make space and go on with the run: nothing is lost.'
const READ_ONLY =
  'The journal FILE cannot be written. Let this user write to it and its folder, or name another file.'
const CORRUPT =
  'The journal FILE is damaged. Keep a copy of it, and bring it back from a backup or name another file.'

/** By SQLite's result codes. */
const BY_CODE: Readonly<Record<number, readonly [JournalProblem, string]>> = {
  5: ['busy', 'Another process keeps the journal FILE locked. Stop it or wait, then try again.'],
  8: ['read_only', READ_ONLY],
  10: ['failed', FAILED],
  11: ['corrupt', CORRUPT],
  13: ['full', FULL],
  14: ['read_only', READ_ONLY],
  26: [
    'corrupt',
    'FILE is no journal, or a damaged one. Name another file, or bring it back from a backup.',
  ],
  // A shared file that could not grow.
  4874: ['full', FULL],
}

const BY_SYSTEM: Readonly<Record<string, readonly [JournalProblem, string]>> = {
  EACCES: ['read_only', READ_ONLY],
  EDQUOT: ['full', FULL],
  ENOSPC: ['full', FULL],
  EPERM: ['read_only', READ_ONLY],
  EROFS: ['read_only', READ_ONLY],
}
