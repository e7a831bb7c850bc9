import { upgrade } from '../../src/node/journal/schema.ts'
import { startDatabaseThread } from '../../src/node/journal/database-thread.ts'
import type { Program } from './program.ts'

/** An upgrade that takes long enough to be killed. */
const program: Program = async ({ effect }) => {
  const thread = startDatabaseThread()
  const { FILE = '' } = process.env
  await thread.open(FILE, 'PRAGMA journal_mode = WAL; PRAGMA cache_size = 10')
  const one = ['CREATE TABLE one (a)', "INSERT INTO one VALUES ('old')"]
  await upgrade(thread, FILE, [one])
  effect('upgraded to 1')
  const long = `WITH RECURSIVE n (a) AS (SELECT 1 UNION ALL SELECT a + 1 FROM n WHERE a < 100000000)
    INSERT INTO two SELECT a FROM n`
  await upgrade(thread, FILE, [one, ['DROP TABLE one', 'CREATE TABLE two (a)', long]])
}

export default program
