import type { JournalRecord } from '@toolglot/agent/journal'

/** Whether somebody has answered something that the run has not read yet. */
export function hasUnreadAnswers(records: readonly JournalRecord[]): boolean {
  return records.some(
    ({ kind, key }, at) =>
      kind === 'answer' &&
      !records
        .slice(at)
        .some((later) => later.kind === 'value' && `${key}/`.startsWith(`${later.key}/`)),
  )
}
