// What the other packages of this repository share. It is not part of the public interface, and changes without notice.
export { findFolder, realFolder } from './folder.ts'
export { isYes } from './is-yes.ts'
export { asUserError } from './model/search-models.ts'
export { isProtocolFile } from './protocols/known-protocols.ts'
export { codeFilesOf } from './settings/code-files.ts'
export {
  type GatewayModelSettings,
  type GatewaySettings,
  gatewaySettings,
} from './settings/keys/gateway.ts'
export { type ServerLimits, type ServerSettings, serverSettings } from './settings/keys/server.ts'
export { hostName, originName } from './settings/host-name.ts'
export { mergeSettings } from './settings/merge-settings.ts'
export { readSettings } from './settings/read-settings.ts'
export { type SettingEntry, settingEntries } from './settings/setting-entries.ts'
export { type PathText, printProblem, type RuleText } from './settings/settings-file.ts'
export { allSettings, type Setting } from './settings/settings-schema.ts'
export { comesWithFolder } from './settings/untrusted-grants.ts'
export { stateFolder, stateProblem } from './state-folder.ts'
export { mcpServersIn } from './tools/mcp-servers.ts'
export { quote, visible, visibleLine } from './visible.ts'
export { writeWhole } from './write-whole.ts'
