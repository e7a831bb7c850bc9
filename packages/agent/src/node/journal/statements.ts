import type { JournalRecord } from '../../journal/journal.ts'
import { readRunFacts } from '../../journal/run-summary.ts'
import type { Statement } from './database-thread.ts'

/** A record with its value as JSON text. */
export interface EncodedRecord extends JournalRecord {
  readonly run: string
  readonly text: string
}

/** Appends a record; refused if `holder` no longer holds the run. */
export function appendAsHolder(holder: string, record: EncodedRecord): Statement[] {
  return append(record, 'holder = :holder', { holder })
}

/** Appends an answer from outside; refused if the run has ended and is not waiting for it. */
export function appendAnswer(record: EncodedRecord): Statement[] {
  const isAsked = `EXISTS (SELECT 1 FROM records WHERE run = :run AND key = :asked AND kind = 'wait')`
  return append(record, `(reason IS NULL OR ${isAsked})`, { asked: record.key })
}

function append(
  record: EncodedRecord,
  condition: string,
  values: Readonly<Record<string, string>>,
): Statement[] {
  const { run, key, kind, text, time } = record
  const { prompt = null, model = null, turns = 0, reason = null } = readRunFacts(record)
  const update: Statement = {
    sql: `UPDATE runs SET records = records + 1, last = :time, turns = turns + :turns,
      prompt = ifnull(prompt, :prompt), model = ifnull(model, :model),
      reason = iif(:kind = 'answer', reason, :reason)
      WHERE run = :run AND ${condition}`,
    values: { run, kind, time, turns, prompt, model, reason, ...values },
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

/** Creates a run; refused if it exists. */
export function insertRun(
  run: string,
  { time, holder, name }: { time: number; holder: string; name?: string },
): Statement {
  return {
    sql: `INSERT INTO runs (run, name, started, last, holder) VALUES (:run, :name, :time, :time, :holder)
      ON CONFLICT DO NOTHING`,
    values: { run, name: name ?? null, time, holder },
    mustChange: true,
  }
}

/** Takes over a run from its previous holder; refused if the holder has changed. */
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

/** Selects the records of a run, each with whether it is intact. */
export function selectRecords(run: string): Statement {
  return {
    sql: `SELECT seq, key, kind, value, time, records AS expected,
      digest = digest(run, seq, key, kind, time, value) AS intact
      FROM runs LEFT JOIN records USING (run) WHERE run = :run ORDER BY seq`,
    values: { run },
  }
}

/** Selects one run. */
export function selectRun(run: string): Statement {
  return {
    sql: 'SELECT holder, imported, damage, records FROM runs WHERE run = :run',
    values: { run },
  }
}

/** Whether a run waits for an answer: the SQL of `isWaiting`. */
const IS_WAITING = `EXISTS (SELECT 1 FROM records AS asked WHERE asked.run = runs.run AND asked.kind = 'wait'
  AND NOT EXISTS (SELECT 1 FROM records AS given
    WHERE given.run = asked.run AND given.key = asked.key AND given.kind = 'answer')
  AND NOT EXISTS (SELECT 1 FROM records AS done
    WHERE done.run = asked.run AND done.seq > asked.seq AND done.kind = 'value'
    AND instr(asked.key, done.key || '/') = 1))`

/** Selects the runs that match a search, most recently active first. */
export function selectSummaries({ search, limit }: { search: string; limit: number }): Statement {
  return {
    sql: `SELECT *, ${IS_WAITING} AS waits FROM runs
      WHERE instr(lower(concat_ws(char(10), run, name, prompt, model)), lower(:search)) > 0 OR :search = ''
      ORDER BY last DESC, rowid DESC LIMIT :limit`,
    values: { search, limit },
  }
}

/** Selects the runs to prune. */
export function selectPrunable({ runs, oldest }: { runs: number; oldest: number }): Statement {
  return {
    sql: `SELECT run FROM
      (SELECT run, holder, last, row_number() OVER (ORDER BY last DESC, rowid DESC) AS place FROM runs) AS runs
      WHERE (place > :runs OR last < :oldest) AND holder IS NULL AND NOT (${IS_WAITING})`,
    values: { runs, oldest },
  }
}

/** Deletes a run; refused if it is held or does not exist. */
export function deleteRun(run: string): Statement {
  return {
    sql: 'DELETE FROM runs WHERE run = :run AND holder IS NULL',
    values: { run },
    mustChange: true,
  }
}
