export { cassetteFile } from './cassette-file.ts'
export { sqliteJournal, type SqliteJournalOptions } from './journal/sqlite-journal.ts'
