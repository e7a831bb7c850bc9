import { startDatabaseThread } from '../../src/node/journal/database-thread.ts'
import { upgrade, VERSIONS } from '../../src/node/journal/schema.ts'
import type { Program } from './program.ts'

/** Upgrades a journal of version 1 with so many runs that it takes long enough to be killed. */
const program: Program = async ({ effect }) => {
  const thread = startDatabaseThread()
  const { FILE = '' } = process.env
  await thread.open(FILE, 'PRAGMA journal_mode = WAL; PRAGMA cache_size = 10')
  await upgrade(thread, FILE, VERSIONS.slice(0, 1))
  const numbers = `WITH RECURSIVE n (a) AS (SELECT 1 UNION ALL SELECT a + 1 FROM n WHERE a < 60000)`
  const record = `'value', '{"cwd":"/work","usage":{"input":2,"output":1}}', 5, ''`
  await thread.commit([
    {
      sql: `${numbers} INSERT INTO runs (run, started, last, records) SELECT 'r' || a, 5, 5, 2 FROM n`,
    },
    { sql: `${numbers} INSERT INTO records SELECT 'r' || a, 1, 'run', ${record} FROM n` },
    { sql: `${numbers} INSERT INTO records SELECT 'r' || a, 2, 'turn/0', ${record} FROM n` },
  ])
  await thread.execute('PRAGMA wal_checkpoint(TRUNCATE)')
  effect('version 1')
  await upgrade(thread, FILE)
  effect('version 2')
}

export default program
