export { cassetteFile } from './cassette-file.ts'
export { type FindOptions, findSettings, readSettingsFile } from './find-settings.ts'
export { isInside, resolvePath } from './inside.ts'
export {
  type FolderTrust,
  type Loaded,
  type LoadOptions,
  loadSettings,
  trustFile,
  trustFolder,
} from './load-settings.ts'
export { isTracked } from './git-index.ts'
export { findInstructions, type FoundInstructions } from './instructions.ts'
export { type Machine, machineOf } from './machine.ts'
export { makeFolder } from './make-folder.ts'
export { removeTrust, type TrustedFolder, trustedFolders } from './trust-store.ts'
export { nodeWorld, type NodeWorldOptions } from './world.ts'
export { sqliteJournal, type SqliteJournalOptions } from './journal/sqlite-journal.ts'
export { changeUserSettings, userSettingsFile } from './user-settings.ts'
