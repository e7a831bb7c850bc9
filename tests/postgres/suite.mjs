// A Postgres for the tests: a new one, or the one in TOOLGLOT_TEST_POSTGRES=postgres://….
import { startPostgres } from './start-postgres.mjs'

/** @returns {Promise<import('../../scripts/suite.mjs').SetUp>} */
export async function setUp() {
  const { TOOLGLOT_TEST_POSTGRES: given } = process.env
  if (given !== undefined) return {}
  const postgres = await startPostgres()
  return { env: { TOOLGLOT_TEST_POSTGRES: postgres.url }, tearDown: postgres.remove }
}
