import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { migrateJournal } from '../src/index.ts'

/** A Postgres for tests: `npm run test:postgres` starts one. */
export const postgresUrl: string = urlOfTests()

function urlOfTests(): string {
  const { TOOLGLOT_TEST_POSTGRES: url } = process.env
  if (url === undefined) throw new Error('This test needs npm run test:postgres.')
  return url
}

/** Creates a journal of its own in the database of the tests. */
export async function newSchema(url: string = postgresUrl): Promise<string> {
  const schema = `test_${randomUUID().replaceAll('-', '').slice(0, 16)}`
  await migrateJournal({ url, schema })
  return schema
}

/** Executes one statement as an administrator would. */
export async function execute(
  sql: string,
  url: string = postgresUrl,
): Promise<pg.QueryResultRow[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<pg.QueryResultRow>(sql)
    return rows
  } finally {
    await client.end()
  }
}
