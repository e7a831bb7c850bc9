// Parts of journals, for storages in other packages. Not a public API: it may change without
// notice.
export { noUsage } from '../model/usage.ts'
export { createJournal } from './create-journal.ts'
export { isInsideSql, parseKey } from './keys.ts'
export { messageKey } from './keys.ts'
export { importedError, type Refusal } from './refusal.ts'
export { runLog } from './create-journal.ts'
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
export type { SharedValues } from './storage.ts'
export { storedRecord } from './record.ts'
export { type Waiter, Waiters, type WaitTarget } from './waiters.ts'
export { startUpkeep, type Upkeep } from './upkeep.ts'
