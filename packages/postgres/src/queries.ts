import {
  JournalError,
  type JournalRecord,
  type RunsOptions,
  type RunSummary,
} from '@toolglot/agent/journal'
import { storedRecord, summaryOfRow, type WaitRecord } from '@toolglot/agent/journal/internal'
import { withoutNull } from './append.ts'
import type { Query } from './database.ts'
import { IS_ANSWERED, IS_OVER } from './from-outside.ts'
import { IS_HELD } from './lease.ts'
import { wordsOf } from './schema.ts'

/** Reads the records of a run after a given number of them. Fails if some are missing. */
export async function readRecords(
  query: Query,
  run: string,
  after = 0,
): Promise<readonly JournalRecord[]> {
  const all = await query(
    `SELECT x.seq, x.key, x.kind, x.value, x.time, r.records FROM @runs AS r
     LEFT JOIN @records AS x ON x.run = r.run AND x.seq > $2 WHERE r.run = $1 ORDER BY x.seq`,
    [run, after],
  )
  const rows = all.filter(({ seq }) => seq !== null)
  const expected = Math.max(0, Number(all[0]?.['records'] ?? 0) - after)
  const isComplete = rows.every(({ seq }, index) => seq === after + index + 1)
  if (!isComplete || rows.length !== expected)
    throw new JournalError(
      'corrupt',
      `Records of the run ${run} are missing, so it cannot be resumed. Other runs are not affected. Start a new run.`,
    )
  return rows.map(({ key, kind, value, time }) =>
    storedRecord(
      { key: String(key), kind: kind as JournalRecord['kind'], time: Number(time) },
      String(value),
    ),
  )
}

/** True if the run `r` is waiting for an answer. Equivalent to `pendingWaits`. */
export const IS_WAITING: string = `(r.reason IS NULL AND EXISTS (SELECT 1 FROM @records AS asked
  WHERE asked.run = r.run AND asked.kind = 'wait' AND NOT ${IS_ANSWERED} AND NOT ${IS_OVER}))`

/** Selects the pending waits, the oldest first. */
export async function selectWaits(query: Query, run?: string): Promise<readonly WaitRecord[]> {
  const rows = await query(
    `SELECT asked.run, asked.key, asked.value, asked.time FROM @runs AS r JOIN @records AS asked USING (run)
     WHERE r.reason IS NULL AND asked.kind = 'wait' AND (NOT r.imported OR ${IS_HELD})
     ${run === undefined ? '' : 'AND r.run = $1'} AND NOT ${IS_ANSWERED} AND NOT ${IS_OVER}
     ORDER BY asked.time, asked.run, asked.seq`,
    run === undefined ? [] : [run],
  )
  return rows.map((row) => ({
    run: String(row['run']),
    key: String(row['key']),
    value: JSON.parse(String(row['value'])) as unknown,
    time: Number(row['time']),
  }))
}

/** Selects the runs that match a search, most recently active first. */
export async function selectSummaries(
  query: Query,
  { search = '', limit = 100, owner, folder, run, containing }: RunsOptions,
): Promise<readonly RunSummary[]> {
  const values: unknown[] = []
  const conditions: string[] = []
  const add = (value: unknown, condition: (name: string) => string): void => {
    values.push(typeof value === 'string' ? withoutNull(value) : value)
    conditions.push(condition(`$${values.length}`))
  }
  if (search !== '')
    add(search, (text) => {
      const isFound = `s.text LIKE '%' || ${literal(`lower(${text})`)} || '%'`
      const where = WHOLE_WORD.test(search) ? `${isFound} AND ${hasWordsIn(text)}` : isFound
      return `EXISTS (SELECT 1 FROM @searches AS s WHERE s.run = r.run AND ${where})`
    })
  if (owner !== undefined) add(owner, (text) => `r.owner = ${text}`)
  if (folder !== undefined) add(folder, (text) => `r.folder = ${text}`)
  if (run !== undefined) add(run, (text) => `r.run = ${text}`)
  if (containing !== undefined)
    // Searches for the text as escaped in JSON. Only the case of A to Z is ignored.
    add(
      JSON.stringify(containing).slice(1, -1),
      (text) => `EXISTS (SELECT 1 FROM @records AS x WHERE x.run = r.run
        AND strpos(lower(x.value COLLATE "C"), lower(${text}::text COLLATE "C")) > 0)`,
    )
  const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''
  const rows = await query(
    `SELECT r.*, ${IS_WAITING} AS waits, ${IS_HELD} AS held FROM @runs AS r ${where}
     ORDER BY r.last DESC, r.number DESC LIMIT ${Math.trunc(limit)}`,
    values,
  )
  return rows.map(summaryOfRow)
}

/** If the search text contains no whole word, a word index is useless. */
const WHOLE_WORD = /[^\p{L}\p{N}][\p{L}\p{N}]+[^\p{L}\p{N}]/u

/**
 * SQL that tests whether `s` contains the whole words of a search text. The first and last words
 * may be incomplete.
 */
function hasWordsIn(text: string): string {
  const words = wordsOf(`lower(${text})`)
  return `${wordsOf('s.text')} @> (${words})[2:cardinality(${words}) - 1]`
}

/** SQL for a string as part of a pattern that contains it literally. */
function literal(text: string): string {
  return ['\\', '%', '_'].reduce(
    (sql, character) => `replace(${sql}, '${character}', '\\${character}')`,
    text,
  )
}
