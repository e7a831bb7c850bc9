import { startDatabaseThread } from '../../src/node/journal/database-thread.ts'
import { type Program, RUN } from './program.ts'

/** Repeatedly records and empties the log, like pruning does, until it is killed. */
const program: Program = async ({ journal }) => {
  const log = await journal.open(RUN)
  const thread = startDatabaseThread()
  await thread.open(process.env['FILE'] ?? '', '')
  for (let at = 0; ; at++) {
    await log.append({ key: `${at}`, kind: 'value', value: 'x'.repeat(10_000) })
    await thread.execute('PRAGMA wal_checkpoint(TRUNCATE)')
  }
}

export default program
