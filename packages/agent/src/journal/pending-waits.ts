import type { JournalRecord } from './journal.ts'
import { isInside } from './keys.ts'

/** The records of what a run waits for. */
export function pendingWaits(records: readonly JournalRecord[]): readonly JournalRecord[] {
  return records.filter(
    ({ kind, key }) => kind === 'wait' && whyNotPending(records, key) === undefined,
  )
}

/** Why an answer with this key would not count; undefined if it is pending. */
export function whyNotPending(
  records: readonly JournalRecord[],
  asked: string,
): 'not_asked' | 'answered' | 'over' | undefined {
  const at = records.findIndex(({ kind, key }) => kind === 'wait' && key === asked)
  if (at === -1) return 'not_asked'
  if (records.some(({ kind, key }) => kind === 'answer' && key === asked)) return 'answered'
  const isOver = records.slice(at).some(({ kind, key }) => kind === 'value' && isInside(asked, key))
  return isOver ? 'over' : undefined
}
