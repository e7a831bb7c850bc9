// Folder: Node only: the SQLite journal, GGUF models, chat pages in a browser, the file system.
export { cassetteFile } from './cassette-file.ts'
export { readGgufFile } from './gguf/gguf-file.ts'
export { ggufModel, type GgufOptions } from './gguf/gguf-model.ts'
export { patientFetch } from './patient-fetch.ts'
export { templateFiles } from './template-files.ts'
export { sqliteJournal, type SqliteJournalOptions } from './journal/sqlite-journal.ts'
