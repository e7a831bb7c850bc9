export type { DatabaseOptions } from './database.ts'
export type { ClaimOptions } from './claim.ts'
export { APPEND_BUCKETS, type ProcessCounts } from './status.ts'
export type { JournalStatus } from './status.ts'
export {
  postgresJournal,
  type PostgresJournal,
  type PostgresJournalOptions,
} from './postgres-journal.ts'
export { migrateJournal, type Migration } from './schema.ts'
