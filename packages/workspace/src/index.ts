export { DEMO, demoModel } from './demo/demo-model.ts'
export { openJournal } from './journal.ts'
export {
  type ChooseModelOptions,
  type ChosenModel,
  chooseWorkspaceModel,
  describeProtocol,
  namedProtocol,
  withProtocol,
} from './model/choose-model.ts'
export {
  type ConnectedModel,
  connectWorkspaceModel,
  type WorkspaceModelOptions,
  verifyWorkspaceModel,
} from './model/connect-workspace-model.ts'
export { type ModelSearch, searchModels } from './model/search-models.ts'
export { type ModelTrial, tryModel } from './model/try-model.ts'
export { type PrepareRunOptions, prepareRun, type RunSetup } from './prepare-run.ts'
export {
  chooseProtocols,
  type ChosenProtocols,
  type KnownProtocols,
  knownProtocols,
  type ResolvedProtocols,
  resolveProtocols,
} from './protocols/known-protocols.ts'
export { type OwnProtocol, protocolsOfFile } from './protocols/own-protocols.ts'
export { filesChangedSince, restoreFiles } from './run/fork-files.ts'
export { withMentions } from './run/mentions.ts'
export type { FindSettingsOptions } from './settings/find-settings.ts'
export type { SettingValue } from './settings/keys/key.ts'
export {
  type FolderTrust,
  type LoadedSettings,
  type LoadOptions,
  loadSettings,
  trustFile,
  trustFolder,
} from './settings/load-settings.ts'
export { type Settings, grantsNothing, type UntrustedGrants } from './settings/merge-settings.ts'
export { rememberAllowed } from './settings/remember-rules.ts'
export type { SettingsFile, SettingsProblem } from './settings/settings-file.ts'
export { settingsSchema } from './settings/settings-schema.ts'
export { changeUserSettings, userSettingsFile } from './settings/user-settings.ts'
export { type OpenTools, openTools, type OpenToolsOptions } from './tools/open-tools.ts'
export { removeTrust, trustedFolders } from './trust/trust-store.ts'
export { type UserDirectories, userDirectories } from './user-directories.ts'
export { UserError } from './user-error.ts'
export { openWorkspace, type Workspace, type WorkspaceOptions } from './workspace.ts'
