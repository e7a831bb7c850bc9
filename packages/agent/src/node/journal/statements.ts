import type { JournalRecord } from '../../journal/journal.ts'
import { factsOf } from '../../journal/summary.ts'
import type { Statement } from './thread.ts'

/** A record with its value as JSON. */
export interface Written extends JournalRecord {
  readonly run: string
  readonly text: string
}

/** Appends a record for whoever holds the run; refused if that is not `holder` any more. */
export function appendBy(holder: string, record: Written): Statement[] {
  return append(record, 'holder = :holder', { holder })
}

/** Appends an answer of somebody outside; refused if the run is over and did not ask for it. */
export function appendFor(record: Written): Statement[] {
  const isAsked = `EXISTS (SELECT 1 FROM records WHERE run = :run AND key = :asked AND kind = 'wait')`
  return append(record, `(reason IS NULL OR ${isAsked})`, { asked: record.key })
}

function append(
  record: Written,
  condition: string,
  values: Readonly<Record<string, string>>,
): Statement[] {
  const { run, key, kind, text, time } = record
  const { prompt = null, model = null, turns = 0, reason = null } = factsOf(record)
  const note: Statement = {
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
  return [note, insert]
}

/** A run that is new; refused if there is one. */
export function newRun(
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

/** Takes a run over from whoever held it; refused if somebody else did. */
export function take(run: string, from: string | null, holder: string): Statement {
  return {
    sql: 'UPDATE runs SET holder = :holder WHERE run = :run AND holder IS :from',
    values: { run, from, holder },
    mustChange: true,
  }
}

/** Gives a run free, if it is still held by that one. */
export function free(run: string, holder: string): Statement {
  return {
    sql: 'UPDATE runs SET holder = NULL WHERE run = :run AND holder = :holder',
    values: { run, holder },
  }
}

export function recordsOf(run: string): Statement {
  return {
    sql: `SELECT seq, key, kind, value, time, records AS expected,
      digest = digest(run, seq, key, kind, time, value) AS intact
      FROM runs LEFT JOIN records USING (run) WHERE run = :run ORDER BY seq`,
    values: { run },
  }
}

export function runNamed(run: string): Statement {
  return {
    sql: 'SELECT holder, imported, damage, records FROM runs WHERE run = :run',
    values: { run },
  }
}

/** Whether a run waits, as `isWaiting` tells it. */
export const WAITS = `EXISTS (SELECT 1 FROM records AS asked WHERE asked.run = runs.run AND asked.kind = 'wait'
  AND NOT EXISTS (SELECT 1 FROM records AS given
    WHERE given.run = asked.run AND given.key = asked.key AND given.kind = 'answer')
  AND NOT EXISTS (SELECT 1 FROM records AS done
    WHERE done.run = asked.run AND done.seq > asked.seq AND done.kind = 'value'
    AND instr(asked.key, done.key || '/') = 1))`

export function summaries({ search, limit }: { search: string; limit: number }): Statement {
  return {
    sql: `SELECT *, ${WAITS} AS waits FROM runs
      WHERE instr(lower(concat_ws(char(10), run, name, prompt, model)), lower(:search)) > 0 OR :search = ''
      ORDER BY last DESC, rowid DESC LIMIT :limit`,
    values: { search, limit },
  }
}

/** The runs that a cap leaves out. */
export function beyond({ runs, oldest }: { runs: number; oldest: number }): Statement {
  return {
    sql: `SELECT run FROM
      (SELECT run, holder, last, row_number() OVER (ORDER BY last DESC, rowid DESC) AS place FROM runs) AS runs
      WHERE (place > :runs OR last < :oldest) AND holder IS NULL AND NOT (${WAITS})`,
    values: { runs, oldest },
  }
}

/** Forgets a run; refused if somebody holds it, or there is none. */
export function forget(run: string): Statement {
  return {
    sql: 'DELETE FROM runs WHERE run = :run AND holder IS NULL',
    values: { run },
    mustChange: true,
  }
}
