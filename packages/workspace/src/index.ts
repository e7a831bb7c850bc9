export { findInstructions, type FoundInstructions } from './instructions.ts'
export { isInside, resolvePath } from './inside.ts'
export { type UserDirectories, userDirectories } from './user-directories.ts'
export {
  type FindSettingsOptions,
  findSettings,
  readSettingsFile,
} from './settings/find-settings.ts'
export { type SettingValue, settingValues, type SettingsKey } from './settings/keys/key.ts'
export { mcpServers as mcpServersKey } from './settings/keys/mcp-servers.ts'
export { model as modelKey } from './settings/keys/model.ts'
export { paidProviders as paidProvidersKey } from './settings/keys/paid-providers.ts'
export {
  type FolderTrust,
  type LoadedSettings,
  type LoadOptions,
  loadSettings,
  trustFile,
  trustFolder,
} from './settings/load-settings.ts'
export { mergeSettings, type Settings } from './settings/merge-settings.ts'
export {
  grantsNothing,
  comesWithFolder,
  type UntrustedGrants,
} from './settings/untrusted-grants.ts'
export { permissionsOf } from './settings/permissions-of.ts'
export { readSettings, type ReadOptions } from './settings/read-settings.ts'
export { serversIn } from './settings/language-servers.ts'
export type { PathText, RuleText, SettingsFile, SettingsProblem } from './settings/settings-file.ts'
export { changeUserSettings, userSettingsFile } from './settings/user-settings.ts'
export { removeTrust, type TrustedFolder, trustedFolders } from './trust/trust-store.ts'
