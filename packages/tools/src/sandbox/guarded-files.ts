/**
 * What of the places that are held is a file, and what an empty one of it says: to whoever reads it meanwhile, the same
 * as none. Programs that know `.mcp.json` complain of an empty text, and some of an object without `mcpServers`.
 */
export const GUARDED_FILES: ReadonlyMap<string, string> = new Map([
  ['.mcp.json', '{"mcpServers":{}}\n'],
  ['.git/config', ''],
  ['.git/config.worktree', ''],
  // It says where a repository has its settings: here.
  ['.git/commondir', '.\n'],
])
