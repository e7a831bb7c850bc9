import {
  type EncodedRecord,
  isInsideSql,
  messageKey,
  type Refusal,
} from '@toolglot/agent/journal/internal'
import type { Database, Query } from './database.ts'
import { IS_HELD } from './lease.ts'

/** Appends an answer if its request is pending. */
export function appendAnswer(
  database: Database,
  run: string,
  record: EncodedRecord,
): Promise<Refusal | undefined> {
  return fromOutside(database, run, async (query) => {
    const [row] = await query(
      `SELECT CASE WHEN ${IS_ANSWERED} THEN 'answered' WHEN ${IS_OVER} THEN 'over' END AS refusal
       FROM @records AS asked WHERE asked.run = $1 AND asked.key = $2 AND asked.kind = 'wait'`,
      [run, record.key],
    )
    if (!row) return 'not_asked'
    const refusal = row['refusal'] as Refusal | null
    if (refusal === null) await append(query, run, record)
    return refusal ?? undefined
  })
}

/** Appends a message with the next number, unless the run has ended. */
export function appendMessage(
  database: Database,
  run: string,
  record: EncodedRecord,
): Promise<Refusal | undefined> {
  return fromOutside(database, run, async (query, messages) => {
    await query('UPDATE @runs SET messages = messages + 1 WHERE run = $1', [run])
    await append(query, run, { ...record, key: messageKey(messages) })
    return undefined
  })
}

/**
 * Locks a run, checks that it accepts records from other processes, and runs the rest in the same
 * transaction.
 */
function fromOutside(
  { transaction }: Database,
  run: string,
  work: (query: Query, messages: number) => Promise<Refusal | undefined>,
): Promise<Refusal | undefined> {
  return transaction(async (query) => {
    const [row] = await query(
      `SELECT messages, CASE WHEN imported AND NOT ${IS_HELD} THEN 'imported'
         WHEN reason IS NOT NULL THEN 'ended' END AS refusal
       FROM @runs AS r WHERE run = $1 FOR UPDATE`,
      [run],
    )
    if (!row) return 'missing'
    return (row['refusal'] as Refusal | null) ?? work(query, Number(row['messages']))
  })
}

async function append(query: Query, run: string, record: EncodedRecord): Promise<void> {
  const { key, kind, text, time } = record
  await query(
    `WITH appended AS (
       UPDATE @runs SET records = records + 1, last = $5, due = CASE WHEN driven THEN now() END
       WHERE run = $1 RETURNING records
     )
     INSERT INTO @records (run, seq, key, kind, value, time)
     SELECT $1, records, $2, $3, $4, $5 FROM appended`,
    [run, key, kind, text, time],
  )
}

/** True if the request `asked` has an answer. */
export const IS_ANSWERED = `EXISTS (SELECT 1 FROM @records AS given
  WHERE given.run = asked.run AND given.key = asked.key AND given.kind = 'answer')`

/** True if the step with the request `asked` has ended. */
export const IS_OVER: string = `EXISTS (SELECT 1 FROM @records AS done WHERE done.run = asked.run AND done.seq > asked.seq
  AND done.kind = 'value' AND ${isInsideSql('asked.key', 'done.key')})`
