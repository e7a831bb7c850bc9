import { JournalError, type JournalProblem } from '@toolglot/agent/journal'

/**
 * Converts a database error to one that explains the problem and the solution. `place` is the
 * address of the database.
 */
export function toJournalError(error: unknown, place: string): Error {
  if (error instanceof JournalError || error instanceof TypeError || error instanceof RangeError)
    return error
  const [problem, text] =
    BY_CODE[codeOf(error)] ?? (isConnectionError(error) ? UNREACHABLE : UNUSABLE)
  const message = `${text.replace('PLACE', place)} (${(error as Error).message})`
  return new JournalError(problem, message, { cause: error })
}

/**
 * True if a connection failed or broke, so it is unknown whether the sent statements were executed.
 */
export function isConnectionError(error: unknown): boolean {
  const code = codeOf(error)
  return (
    CONNECTION_CODES.has(code) ||
    code.startsWith('08') ||
    (code === '' && /connection|timeout/i.test((error as Error).message))
  )
}

/** True if a record or run with the same key exists. */
export function isUniqueViolation(error: unknown): boolean {
  return codeOf(error) === '23505'
}

/** True if transactions blocked each other. Nothing was done, and another attempt may succeed. */
export function isConflict(error: unknown): boolean {
  return ['40001', '40P01'].includes(codeOf(error))
}

/**
 * True if a statement was not executed because its connection had not prepared it, or had prepared
 * it for another client.
 */
export function isUnprepared(error: unknown): boolean {
  return ['26000', '42P05'].includes(codeOf(error))
}

/** The code of Postgres or of the system. */
export function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? code : ''
}

const CONNECTION_CODES: ReadonlySet<string> = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  // Shutdown, crash, startup, and too many connections.
  '57P01',
  '57P02',
  '57P03',
  '53300',
])

type Explanation = readonly [JournalProblem, string]

const UNUSABLE: Explanation = ['failed', 'The journal at PLACE cannot be used.']
const UNREACHABLE: Explanation = [
  'failed',
  'The journal at PLACE cannot be reached. Recorded data is safe: check that Postgres is running and accepts connections, then resume the run.',
]
const READ_ONLY: Explanation = [
  'read_only',
  'The journal at PLACE cannot be written. Use the primary server, and a role that may write to the schema of the journal.',
]
const NO_TABLES: Explanation = [
  'failed',
  'There is no journal at PLACE. Create it with: toolglot journal migrate URL',
]
const FULL: Explanation = [
  'full',
  'There is no space left for the journal at PLACE, so nothing was started. Free some space and resume the run. No data was lost.',
]
const LOGIN: Explanation = [
  'failed',
  'Postgres at PLACE refuses the login. Check the user and the password in the URL.',
]

/** The explanations, by Postgres's error codes. */
const BY_CODE: Readonly<Partial<Record<string, Explanation>>> = {
  '25006': READ_ONLY,
  '28000': LOGIN,
  '28P01': LOGIN,
  '3D000': ['failed', 'There is no such database at PLACE. Create it, or correct the URL.'],
  '3F000': NO_TABLES,
  '42501': READ_ONLY,
  '42P01': NO_TABLES,
  '53100': FULL,
}
