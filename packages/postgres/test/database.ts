import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { migrateJournal } from '../src/index.ts'

/** The address of a Postgres server for tests, which `npm run test:postgres` starts. */
export const postgresUrl: string = urlOfTests()

function urlOfTests(): string {
  const { TOOLGLOT_TEST_POSTGRES: url } = process.env
  if (url === undefined) throw new Error('This test needs npm run test:postgres.')
  return url
}

/** Creates a separate journal in the test database. */
export async function newSchema(url: string = postgresUrl): Promise<string> {
  const schema = `test_${randomUUID().replaceAll('-', '').slice(0, 16)}`
  await migrateJournal({ url, schema })
  return schema
}

/** Executes one statement, like an administrator. */
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
