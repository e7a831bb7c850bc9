// The cost of claiming and searching with 1,000 and with 1,000,000 runs in the tables, alternating.
import { createHash } from 'node:crypto'
import pg from 'pg'
import { migrateJournal, postgresJournal } from '@toolglot/postgres'
import { figure, number } from '../figure.mjs'
import { median } from './median.mjs'

const FEW = 1000
/** SCALE_RUNS=100000 is faster. */
const MANY = Number(process.env['SCALE_RUNS'] ?? 1_000_000)
/** The number of runs that are due. */
const DUE = 500
const ROUNDS = 60

/** @typedef {import('@toolglot/postgres').PostgresJournal} PostgresJournal */

/** @type {Record<string, (journal: PostgresJournal, round: number) => Promise<void>>} */
const steps = {
  async 'claiming 4 runs'(journal) {
    const logs = await journal.claim({ limit: 4 })
    if (logs.length !== 4) throw new Error(`claimed ${logs.length} runs instead of 4`)
    await releaseAll(logs)
  },
  'the last 100 runs': (journal) => found(journal, {}, 100),
  'the last 100 runs of an owner': (journal) => found(journal, { owner: 'owner 7' }, 20),
  'a search for what many runs contain': (journal) => found(journal, { search: 'weather' }, 100),
  'a search for a word of one run': (journal, round) =>
    found(journal, { search: wordOf(100 + round) }, 1),
  'a search for a number of one run': (journal, round) =>
    found(journal, { search: `Number ${100 + round}.` }, 1),
  'a search for what none contains': (journal, round) =>
    found(journal, { search: `nothing like ${round}` }, 0),
  async status(journal) {
    await journal.status()
  },
}

/**
 * A word that only one run contains, computed as in the SQL below.
 *
 * @param {number} number
 */
function wordOf(number) {
  return createHash('md5').update(String(number)).digest('hex').slice(0, 12)
}

/** @param {string} url */
export async function* measure(url) {
  const journals = [await filled(url, 'few', FEW), await filled(url, 'many', MANY)]
  for (const [name, step] of Object.entries(steps)) {
    const times = journals.map(() => /** @type {number[]} */ ([]))
    for (let round = 0; round < ROUNDS; round++) {
      for (const [index, journal] of journals.entries()) {
        const began = performance.now()
        await step(journal, round)
        // The first rounds load data into memory.
        if (round >= 10) times[index]?.push(performance.now() - began)
      }
    }
    const [few = NaN, many = NaN] = times.map(median)
    yield figure({
      group: `${MANY} runs in the tables to ${FEW}`,
      name,
      value: many / few,
      unit: 'x',
      goal: { most: 2 },
      detail: `${number(many)} ms to ${number(few)} ms`,
    })
  }
  await Promise.all(journals.map((journal) => journal.close()))
}

/**
 * A journal with this number of runs, most of which have ended.
 *
 * @param {string} url
 * @param {string} schema
 * @param {number} count
 */
async function filled(url, schema, count) {
  await migrateJournal({ url, schema })
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  // Creating the index after filling the table takes a fraction of the time.
  const { rows } = await client.query(
    'SELECT indexdef FROM pg_indexes WHERE schemaname = $1 AND indexname = $2',
    [schema, 'searches_text'],
  )
  await client.query(`DROP INDEX ${schema}.searches_text`)
  await client.query(`ALTER TABLE ${schema}.runs DISABLE TRIGGER USER`)
  await client.query(
    `INSERT INTO ${schema}.runs (run, name, prompt, model, folder, owner, started, last, records, turns, reason, driven, due)
     SELECT 'run-' || n, NULL, 'What is the weather in ' || substr(md5(n::text), 1, 12) || '? Number ' || n || '.', 'qwen3:8b', '/home/me/project-' || n % 50,
       'owner ' || n % 50, n, n, 2, 1,
       CASE WHEN is_due THEN NULL ELSE 'answer' END, true, CASE WHEN is_due THEN now() END
     FROM (SELECT n, n % ($1 / $2) = 0 AS is_due FROM generate_series(1, $1::int) AS n) AS numbers`,
    [count, DUE],
  )
  await client.query(
    `INSERT INTO ${schema}.records (run, seq, key, kind, value, time)
     SELECT 'run-' || n, seq, 'key/' || seq, 'value', '{}', n
     FROM generate_series(1, $1::int) AS n, generate_series(1, 2) AS seq`,
    [count],
  )
  await client.query(
    `INSERT INTO ${schema}.searches SELECT run, lower(concat_ws(chr(10), run, name, prompt, model)) FROM ${schema}.runs`,
  )
  await client.query(`SET maintenance_work_mem = '512MB'`)
  await client.query(rows[0].indexdef)
  await client.query(`ALTER TABLE ${schema}.runs ENABLE TRIGGER USER`)
  await client.query(`VACUUM ANALYZE ${schema}.runs`)
  await client.query(`VACUUM ANALYZE ${schema}.records`)
  await client.query(`VACUUM ANALYZE ${schema}.searches`)
  await client.end()
  return postgresJournal({ url, schema })
}

/**
 * @param {PostgresJournal} journal
 * @param {import('@toolglot/agent/journal').RunsOptions} options
 * @param {number} least
 */
async function found(journal, options, least) {
  const runs = await journal.runs(options)
  if (runs.length < least || (least < 2 && runs.length > least))
    throw new Error(`found ${runs.length} runs instead of ${least}`)
}

/** @param {readonly import('@toolglot/agent/journal').RunLog[]} logs */
async function releaseAll(logs) {
  await Promise.all(logs.map((log) => log.close({ continueAt: 0, untouched: true })))
}
