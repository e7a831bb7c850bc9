// What the other packages of this repository share. It is not part of the public interface, and changes without notice.
export { findFolder, realFolder } from './folder.ts'
export { asUserError } from './model/search-models.ts'
export { mergeSettings } from './settings/merge-settings.ts'
export { readSettings } from './settings/read-settings.ts'
export { printProblem } from './settings/settings-file.ts'
export { stateFolder, stateProblem } from './state-folder.ts'
export { mcpServersIn } from './tools/mcp-servers.ts'
export { quote, visible, visibleLine } from './visible.ts'
