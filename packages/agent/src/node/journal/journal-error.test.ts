import { expect, test } from 'vitest'
import { JournalError } from '../../journal/journal.ts'
import { SqliteError } from './database-thread.ts'
import { toJournalError } from './journal-error.ts'

const system = (code: string): Error => Object.assign(new Error(`it failed: ${code}`), { code })
const sqlite = (errcode: number): Error =>
  new SqliteError({ message: `it failed: ${errcode}`, errcode })

test.each([
  [system('EACCES'), 'read_only'],
  [system('EPERM'), 'read_only'],
  [system('EROFS'), 'read_only'],
  [system('ENOSPC'), 'full'],
  [system('EDQUOT'), 'full'],
  [system('EIO'), 'failed'],
  [new Error('it failed'), 'failed'],
  [sqlite(5), 'busy'],
  [sqlite(8), 'read_only'],
  [sqlite(10), 'failed'],
  [sqlite(11), 'corrupt'],
  [sqlite(13), 'full'],
  [sqlite(14), 'read_only'],
  [sqlite(26), 'corrupt'],
  // The low byte is the error, the other bytes are details.
  [sqlite(5 | (2 << 8)), 'busy'],
  [sqlite(10 | (1 << 8)), 'failed'],
  [sqlite(4874), 'full'],
  [sqlite(1), 'failed'],
])('%s: %s', (error, problem) => {
  const explained = toJournalError(error, '/data/runs.db')
  expect(explained).toMatchObject({ problem, cause: error })
  expect(explained.message).toContain('/data/runs.db')
  expect(explained.message).toContain('it failed')
})

test.each([new TypeError('wrong'), new RangeError('far'), new JournalError('busy', 'open')])(
  '%s is unchanged',
  (error) => {
    expect(toJournalError(error, 'runs.db')).toBe(error)
  },
)
