import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { migrateJournal } from '../src/index.ts'

/** Where tests find a Postgres; undefined if there is none. `npm run test:postgres` starts one. */
export const postgresUrl: string | undefined = process.env['TOOLGLOT_TEST_POSTGRES']

/** What a test that needs Postgres is called. It is skipped if there is none. */
export const NEEDS_POSTGRES = 'on Postgres (npm run test:postgres)'

/** Creates a journal of its own in the database of the tests. */
export async function newSchema(url: string = postgresUrl!): Promise<string> {
  const schema = `test_${randomUUID().replaceAll('-', '').slice(0, 16)}`
  await migrateJournal({ url, schema })
  return schema
}

/** Executes one statement as an administrator would. */
export async function execute(
  sql: string,
  url: string = postgresUrl!,
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
