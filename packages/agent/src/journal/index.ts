export {
  type PruneLimits,
  type Journal,
  JournalError,
  type JournalProblem,
  type JournalRecord,
  type OpenRunOptions,
  type RecordedRun,
  type RecordKind,
  type RunLog,
  type RunsOptions,
} from './journal.ts'
export { exportRun, importRuns } from './json-lines.ts'
export { memoryJournal } from './memory-journal.ts'
export type { RunState, RunSummary } from './run-summary.ts'
