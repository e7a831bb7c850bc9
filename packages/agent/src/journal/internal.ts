// What a journal is made of, for storages in other packages. This is not a public interface: it may change without notice.
export { noUsage } from '../model/usage.ts'
export { createJournal } from './create-journal.ts'
export { isInsideSql, parseKey, printKey, type RecordKey } from './keys.ts'
export { messageKey } from './messages.ts'
export { importedError, type Refusal } from './refusal.ts'
export { runLog } from './run-log.ts'
export {
  addFacts,
  FROM_OUTSIDE,
  readRunFacts,
  type RunTotals,
  summaryOfRow,
} from './run-summary.ts'
export { JOURNAL_VERSION } from './storage.ts'
export type {
  EncodedRecord,
  EncodedRun,
  HeldRun,
  HoldOptions,
  JournalStorage,
  WaitRecord,
} from './storage.ts'
export type { AddValueOptions, GetValueOptions, SharedValues } from './shared-values.ts'
export { storedRecord } from './stored-record.ts'
export { type Waiter, Waiters, type WaitTarget } from './waiters.ts'
