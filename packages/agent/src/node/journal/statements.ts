import type { RunsOptions } from '../../journal/journal.ts'
import { isInsideSql, isMessageKeySql, messageKeySql } from '../../journal/keys.ts'
import { messageKey } from '../../journal/keys.ts'
import { FROM_OUTSIDE, readRunFacts } from '../../journal/run-summary.ts'
import type { EncodedRecord } from '../../journal/storage.ts'
import type { Waiter } from '../../journal/waiters.ts'
import type { Cell, Statement } from './database-thread.ts'

/**
 * Appends a record. Rejected if `holder` no longer holds the run, or if there are more than
 * `messagesRead` messages.
 */
export function appendAsHolder(
  run: string,
  holder: string,
  record: EncodedRecord,
  messagesRead?: number,
): Statement[] {
  const [update, insert] = append(run, record)
  const isHeld = { ...update, sql: `${update.sql} AND holder = :holder` }
  const guard: Statement[] = messagesRead === undefined ? [] : [refuseUnread(run, messagesRead)]
  return [{ ...isHeld, values: { ...update.values, holder } }, ...guard, insert]
}

/** Appends an answer from outside. Rejected unless its request is pending. */
export function appendAnswer(run: string, record: EncodedRecord): Statement[] {
  const guard: Statement = {
    sql: `SELECT CASE ${FROM_OUTSIDE_REFUSALS} WHEN asked.run IS NULL THEN 'not_asked'
      WHEN ${IS_ANSWERED} THEN 'answered' WHEN ${IS_OVER} THEN 'over' END
      FROM (SELECT :run AS wanted) LEFT JOIN runs ON runs.run = wanted
      LEFT JOIN records AS asked ON asked.run = wanted AND asked.key = :key AND asked.kind = 'wait'`,
    values: { run, key: record.key },
    refuses: true,
  }
  return [guard, ...append(run, record)]
}

/** Appends a message with the next number. Rejected if the run has ended. */
export function appendMessage(run: string, record: EncodedRecord): Statement[] {
  const guard: Statement = {
    sql: `SELECT CASE ${FROM_OUTSIDE_REFUSALS} END
      FROM (SELECT :run AS wanted) LEFT JOIN runs ON runs.run = wanted`,
    values: { run },
    refuses: true,
  }
  const [update] = append(run, record)
  const { text, time } = record
  const insert: Statement = {
    sql: `INSERT INTO records (run, seq, key, kind, value, time, digest)
      SELECT run, records, key, 'message', :text, :time, digest(run, records, key, 'message', :time, :text)
      FROM (SELECT run, records, ${messageKeySql(`(SELECT count(*) FROM records
        WHERE run = :run AND ${isMessageKeySql('key')} AND kind = 'message')`)} AS key
        FROM runs WHERE run = :run)`,
    values: { run, text, time },
  }
  return [guard, update, insert]
}

function append(run: string, record: EncodedRecord): [update: Statement, insert: Statement] {
  const { key, kind, text, time } = record
  const { set, values } = setFacts(record)
  const update: Statement = {
    sql: `UPDATE runs SET ${['records = records + 1', 'last = :time', ...set].join(', ')} WHERE run = :run`,
    values: { run, time, ...values },
    mustChange: true,
  }
  const insert: Statement = {
    sql: `INSERT INTO records (run, seq, key, kind, value, time, digest)
      SELECT run, records, :key, :kind, :text, :time, digest(run, records, :key, :kind, :time, :text)
      FROM runs WHERE run = :run`,
    values: { run, key, kind, text, time },
  }
  return [update, insert]
}

/** The SQL version of `addFacts`: adds the facts of a record to the summary of its run. */
function setFacts(record: EncodedRecord): { set: string[]; values: Record<string, Cell> } {
  const facts = readRunFacts(record)
  const { usage, turns, reason = null, forkOf } = facts
  const set: string[] = []
  const values: Record<string, Cell> = {}
  const add = (column: string, value: Cell | undefined, sql: string): void => {
    if (value === undefined) return
    set.push(`${column} = ${sql}`)
    values[column] = value
  }
  if (!FROM_OUTSIDE.includes(record.kind)) add('reason', reason, ':reason')
  add('turns', turns, 'turns + :turns')
  for (const column of ['prompt', 'model', 'owner'] as const)
    add(column, facts[column], `ifnull(${column}, :${column})`)
  for (const column of ['folder', 'protocol'] as const) add(column, facts[column], `:${column}`)
  add('fork_run', forkOf?.run, 'ifnull(fork_run, :fork_run)')
  add('fork_turn', forkOf?.turn, 'ifnull(fork_turn, :fork_turn)')
  for (const column of ['input', 'output', 'cached', 'reasoning', 'cost'] as const)
    add(column, usage?.[column], `ifnull(${column}, 0) + :${column}`)
  add('estimated', usage?.estimated && 1, ':estimated')
  return { set, values }
}

function refuseUnread(run: string, messagesRead: number): Statement {
  return {
    sql: "SELECT 'unread' FROM records WHERE run = :run AND key = :key AND kind = 'message'",
    values: { run, key: messageKey(messagesRead) },
    refuses: true,
  }
}

/** Selects the reason why a run rejects records from outside. */
const FROM_OUTSIDE_REFUSALS = `WHEN runs.run IS NULL THEN 'missing' WHEN damage IS NOT NULL THEN 'corrupt'
  WHEN imported = 1 AND holder IS NULL THEN 'imported' WHEN reason IS NOT NULL THEN 'ended'`

/** Creates a run. Rejected if it exists. */
export function insertRun(
  run: string,
  { time, holder, name }: { time: number; holder: string; name?: string | undefined },
): Statement {
  return {
    sql: `INSERT INTO runs (run, name, started, last, holder) VALUES (:run, :name, :time, :time, :holder)
      ON CONFLICT DO NOTHING`,
    values: { run, name: name ?? null, time, holder },
    mustChange: true,
  }
}

/** Takes over a run from its previous holder. Rejected if the holder has changed. */
export function takeOverRun(run: string, from: string | null, holder: string): Statement {
  return {
    sql: 'UPDATE runs SET holder = :holder WHERE run = :run AND holder IS :from',
    values: { run, from, holder },
    mustChange: true,
  }
}

/** Releases a run if `holder` still holds it. */
export function releaseRun(run: string, holder: string): Statement {
  return {
    sql: 'UPDATE runs SET holder = NULL WHERE run = :run AND holder = :holder',
    values: { run, holder },
  }
}

/**
 * Selects the records of a run, skipping the first ones, and checks that each one is intact. Values
 * are selected as bytes, because converting them to strings takes half the time of opening a long
 * run.
 */
export function selectRecords(run: string, after: number): Statement {
  return {
    sql: `SELECT seq, key, kind, CAST(value AS BLOB) AS value, time, records AS expected,
      digest = digest(runs.run, seq, key, kind, time, CAST(value AS BLOB)) AS intact
      FROM runs LEFT JOIN records ON records.run = runs.run AND seq > :after
      WHERE runs.run = :run ORDER BY seq`,
    values: { run, after },
  }
}

/** Selects one run. */
export function selectRun(run: string): Statement {
  return {
    sql: 'SELECT holder, imported, damage, records FROM runs WHERE run = :run',
    values: { run },
  }
}

/** True if the request `asked` has an answer. */
const IS_ANSWERED = `EXISTS (SELECT 1 FROM records AS given
  WHERE given.run = asked.run AND given.key = asked.key AND given.kind = 'answer')`

/** True if the step with the request `asked` has ended. */
const IS_OVER = `EXISTS (SELECT 1 FROM records AS done WHERE done.run = asked.run AND done.seq > asked.seq
  AND done.kind = 'value' AND ${isInsideSql('asked.key', 'done.key')})`

/** The SQL version of `pendingWaits`: true if a run is waiting for an answer. */
const IS_WAITING = `reason IS NULL AND EXISTS (SELECT 1 FROM records AS asked
  WHERE asked.run = runs.run AND asked.kind = 'wait' AND NOT ${IS_ANSWERED} AND NOT ${IS_OVER})`

/** Selects the pending requests, oldest first. Damaged values are null. */
export function selectWaits(run: string | undefined): Statement {
  return {
    sql: `SELECT asked.run, asked.key, iif(json_valid(asked.value), asked.value, 'null') AS value, asked.time
      FROM runs CROSS JOIN records AS asked INDEXED BY records_waits ON asked.run = runs.run AND asked.kind = 'wait'
      WHERE reason IS NULL AND damage IS NULL AND (imported = 0 OR holder IS NOT NULL)
      ${run === undefined ? '' : 'AND runs.run = :run'} AND NOT ${IS_ANSWERED} AND NOT ${IS_OVER}
      ORDER BY asked.time, asked.rowid`,
    ...(run !== undefined && { values: { run } }),
  }
}

/** Selects the waiters whose condition is met: their index, and the value of the record. */
export function selectFound(waiters: readonly Waiter[]): Statement {
  const targets = waiters.map(({ run, target }) =>
    'moreThan' in target ? [run, target.moreThan] : [run, target.kind, target.key],
  )
  return {
    sql: `WITH waiters AS (SELECT key AS waiter, value ->> 0 AS in_run, value ->> 1 AS what, value ->> 2 AS under
        FROM json_each(:targets))
      SELECT waiter, value FROM waiters CROSS JOIN records ON run = in_run AND key = under AND kind = what
      UNION ALL SELECT waiter, NULL FROM waiters CROSS JOIN runs ON run = in_run
        WHERE under IS NULL AND records > what`,
    values: { targets: JSON.stringify(targets) },
  }
}

/** Selects the runs that match a search, most recently active first. */
export function selectSummaries(options: RunsOptions): Statement {
  const { search = '', limit = 100, owner = null, folder = null, run, containing } = options
  return {
    sql: `SELECT *, ${IS_WAITING} AS waits, holder IS NOT NULL AS held FROM runs
      WHERE (instr(lower(concat_ws(char(10), run, name, prompt, model)), lower(:search)) > 0 OR :search = '')
      AND (owner = :owner OR :owner IS NULL) AND (folder = :folder OR :folder IS NULL)
      ${run === undefined ? '' : 'AND run = :run'}
      ${containing === undefined ? '' : `AND EXISTS (SELECT 1 FROM records WHERE records.run = runs.run AND instr(lower(value), lower(:containing)) > 0)`}
      ORDER BY last DESC, rowid DESC LIMIT :limit`,
    values: {
      search,
      limit,
      owner,
      folder,
      ...(run !== undefined && { run }),
      // Escaped as in JSON.
      ...(containing !== undefined && { containing: JSON.stringify(containing).slice(1, -1) }),
    },
  }
}

/** Selects the runs to prune with their number of records, oldest first. */
export function selectPrunable({ runs, oldest }: { runs: number; oldest: number }): Statement {
  return {
    sql: `SELECT run, records FROM
      (SELECT *, row_number() OVER (ORDER BY last DESC, rowid DESC) AS place FROM runs) AS runs
      WHERE (place > :runs OR last < :oldest) AND holder IS NULL AND name IS NULL AND NOT (${IS_WAITING})
      ORDER BY place DESC`,
    values: { runs, oldest },
  }
}

/** Deletes a run selected for pruning. Rejected if it has changed since. */
export function pruneRun(run: string, records: number): Statement {
  return {
    sql: `DELETE FROM runs WHERE run = :run AND records = :records AND holder IS NULL AND name IS NULL`,
    values: { run, records },
    mustChange: true,
  }
}

/** Deletes a run. Rejected if it is held or does not exist. */
export function deleteRun(run: string): Statement {
  return {
    sql: 'DELETE FROM runs WHERE run = :run AND holder IS NULL',
    values: { run },
    mustChange: true,
  }
}
