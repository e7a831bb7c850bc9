import type { McpServer } from '@toolglot/tools/mcp'
import { resolvePath } from '../inside.ts'
import { settingValues } from '../settings/keys/key.ts'
import { mcpServers as mcpServersKey } from '../settings/keys/mcp-servers.ts'
import type { Settings } from '../settings/merge-settings.ts'

/** The MCP servers that settings name. If two have the same name, the stronger scope wins. */
export function mcpServersIn(
  settings: Settings,
  home: string,
): Readonly<Record<string, McpServer>> {
  const found = new Map<string, McpServer>()
  for (const { value, source } of settingValues(settings, mcpServersKey)) {
    const { root = home, scope } = source
    // A project's server runs in the project's folder, even if the workspace is a subfolder.
    const folder = scope === 'project' || scope === 'local' ? root : undefined
    for (const [name, server] of Object.entries(value))
      if (!found.has(name)) found.set(name, placed(server, folder, root, home))
  }
  return Object.fromEntries(found)
}

function placed(
  server: McpServer,
  folder: string | undefined,
  root: string,
  home: string,
): McpServer {
  if ('url' in server) return server
  const cwd = server.cwd === undefined ? folder : resolvePath(server.cwd, root, home)
  return cwd === undefined ? server : { ...server, cwd }
}
