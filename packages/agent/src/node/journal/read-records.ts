import { JournalError, type JournalRecord } from '../../journal/journal.ts'
import { storedRecord } from '../../journal/stored-record.ts'
import type { DatabaseThread } from './database-thread.ts'
import { selectRecords } from './statements.ts'

/** Reads the records of a run and verifies them. If one is damaged, marks the run so that it cannot be resumed. */
export async function readRecords(
  thread: DatabaseThread,
  run: string,
  after = 0,
): Promise<readonly JournalRecord[]> {
  const all = await thread.all(selectRecords(run, after))
  const rows = all.filter(({ seq }) => seq !== null)
  const isIntact = ({ seq, intact }: (typeof rows)[number], index: number): boolean =>
    intact === 1 && seq === after + index + 1
  const firstDamaged = rows.findIndex((row, index) => !isIntact(row, index))
  const intactCount = after + (firstDamaged === -1 ? rows.length : firstDamaged)
  const expected = Number(all[0]?.['expected'] ?? 0)
  if (intactCount === Math.max(expected, after)) {
    return rows.map(({ key, kind, value, time }) =>
      storedRecord(
        { key: String(key), kind: kind as JournalRecord['kind'], time: Number(time) },
        value as Uint8Array,
      ),
    )
  }
  const damage = `Record ${intactCount + 1} of the run ${run} is damaged or lost, so what it did is unknown. It cannot be resumed; other runs are not affected. Start a new run.`
  const sql = 'UPDATE runs SET damage = ifnull(damage, :damage) WHERE run = :run'
  await thread.commit([{ sql, values: { run, damage } }])
  throw new JournalError('corrupt', damage)
}
