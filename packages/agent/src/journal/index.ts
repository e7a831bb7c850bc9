export {
  type AppendOptions,
  type CloseRunOptions,
  type PruneLimits,
  type Journal,
  JournalError,
  type JournalProblem,
  type JournalRecord,
  type OpenRunOptions,
  type RecordedRun,
  type RecordKind,
  type RunLog,
  type RunMessage,
  type RunsOptions,
  type WaitingOptions,
} from './journal.ts'
export { copyRuns } from './copy-runs.ts'
export { exportRun, importRuns } from './json-lines.ts'
export { memoryJournal } from './memory-journal.ts'
export type { PendingApproval, PendingQuestion, PendingRequest } from './pending.ts'
export type { ForkSource, RunState, RunSummary } from './run-summary.ts'
export {
  journalStatistics,
  type JournalStatisticsOptions,
} from './statistics/journal-statistics.ts'
export { runStatistics } from './statistics/run-statistics.ts'
export { addStatistics, type RunStatistics } from './statistics/statistics.ts'
export { follow, type FollowOptions } from '../run/resume/replay.ts'
export { callsSince, forkRun, type ForkRunOptions } from '../run/resume/fork.ts'
export { type RecordedTurn, recordedTurns } from '../run/turn/sent-prompt.ts'
