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
export { findInstructions, type FoundInstructions } from './instructions.ts'
export { type Machine, machineOf } from './machine.ts'
export { removeTrust, type TrustedFolder, trustedFolders } from './trust-store.ts'
export { nodeWorld, type NodeWorldOptions } from './world.ts'
