export {
  type Cap,
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
export { exportRun, importRuns } from './lines.ts'
export { memoryJournal } from './memory.ts'
export type { RunState, RunSummary } from './summary.ts'
