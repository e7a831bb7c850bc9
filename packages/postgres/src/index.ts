export type { DatabaseOptions } from './database.ts'
export { postgresJournal, type PostgresJournalOptions } from './postgres-journal.ts'
export { migrateJournal, type Migration } from './schema.ts'
