/**
 * The guarded names that are files, and the text of a placeholder: one that means the same to programs as a missing file.
 * Programs that read `.mcp.json` reject an empty file, and some an object without `mcpServers`.
 */
export const GUARDED_FILES: ReadonlyMap<string, string> = new Map([
  ['.mcp.json', '{"mcpServers":{}}\n'],
  ['.git/config', ''],
  ['.git/config.worktree', ''],
  // The folder with the settings of the repository: this one.
  ['.git/commondir', '.\n'],
])
