import { JournalError, type JournalRecord } from '../../journal/journal.ts'
import type { Connection } from './connect.ts'
import { recordsOf } from './statements.ts'

/** The records of a run, if all of them are as they were written; else the run is marked, so that nobody goes on with it. */
export async function readRecords(
  { thread }: Connection,
  run: string,
): Promise<readonly JournalRecord[]> {
  const found = await thread.all(recordsOf(run))
  const rows = found.filter(({ seq }) => seq !== null)
  const wrong = rows.findIndex(({ seq, intact }, index) => intact !== 1 || seq !== index + 1)
  const at = wrong === -1 ? rows.length : wrong
  if (at === Number(found[0]?.['expected'] ?? 0)) {
    return rows.map(({ key, kind, value, time }) => ({
      key: String(key),
      kind: kind as JournalRecord['kind'],
      value: JSON.parse(String(value)) as unknown,
      time: Number(time),
    }))
  }
  const damage = `Record ${at + 1} of the run ${run} is damaged or lost, so it is not known what it did. It cannot go on; other runs are not affected. Begin a new run.`
  const sql = 'UPDATE runs SET damage = ifnull(damage, :damage) WHERE run = :run'
  await thread.commit([{ sql, values: { run, damage } }])
  throw new JournalError('corrupt', damage)
}
