import { JournalError, type JournalRecord } from '../../journal/journal.ts'
import type { Connection } from './connect.ts'
import { selectRecords } from './statements.ts'

/** Reads the records of a run and verifies them. If one is damaged, marks the run so that it cannot be resumed. */
export async function readRecords(
  { thread }: Connection,
  run: string,
): Promise<readonly JournalRecord[]> {
  const all = await thread.all(selectRecords(run))
  const rows = all.filter(({ seq }) => seq !== null)
  const firstDamaged = rows.findIndex(({ seq, intact }, index) => intact !== 1 || seq !== index + 1)
  const intactCount = firstDamaged === -1 ? rows.length : firstDamaged
  if (intactCount === Number(all[0]?.['expected'] ?? 0)) {
    return rows.map(({ key, kind, value, time }) => ({
      key: String(key),
      kind: kind as JournalRecord['kind'],
      value: JSON.parse(String(value)) as unknown,
      time: Number(time),
    }))
  }
  const damage = `Record ${intactCount + 1} of the run ${run} is damaged or lost, so what it did is unknown. It cannot be resumed; other runs are not affected. Start a new run.`
  const sql = 'UPDATE runs SET damage = ifnull(damage, :damage) WHERE run = :run'
  await thread.commit([{ sql, values: { run, damage } }])
  throw new JournalError('corrupt', damage)
}
