import type { RuleSource } from '@toolglot/permissions'
import type { McpServer } from '@toolglot/tools/mcp'
import type { OpenTools, Workspace } from '@toolglot/workspace'
import { z } from 'zod'
import type { ApiServices } from '../services.ts'
import type { Endpoint } from '../endpoint.ts'
import { folder, type InFolder, type Place, placeFields, placeOf } from '../schemas/settings.ts'
import { publicUrl, settingWithoutSecrets, textWithoutSecrets } from '../without-secrets.ts'

/** An MCP server from the settings. */
export interface ListedServer extends Place {
  readonly name: string
  /** The server's program and arguments, or its URL. */
  readonly command?: string
  readonly args?: readonly string[]
  readonly url?: string
  /** The names of its environment variables or headers. Their values are not shown. */
  readonly variables: readonly string[]
  readonly headers: readonly string[]
  /** `failed`: it could not be started. `untrusted`: its folder is not trusted. */
  readonly state: 'started' | 'failed' | 'disabled' | 'untrusted'
  /** The reasons why the server or some of its tools are unavailable. */
  readonly problems: readonly string[]
  readonly tools: readonly { readonly name: string; readonly description: string }[]
}

/** The MCP servers of a folder. */
export interface ServerList {
  readonly folder: string
  readonly servers: readonly ListedServer[]
}

const serverList = z.object({
  folder: z.string(),
  servers: z.array(
    z
      .object({
        name: z.string(),
        ...placeFields,
        command: z.string().optional(),
        args: z.array(z.string()).optional(),
        url: z.string().optional().describe('Without its query.'),
        variables: z
          .array(z.string())
          .describe('The names of its environment variables. Their values are not shown.'),
        headers: z.array(z.string()).describe('The names of its headers.'),
        state: z
          .enum(['started', 'failed', 'disabled', 'untrusted'])
          .describe('`untrusted`: its folder is not trusted.'),
        problems: z
          .array(z.string())
          .describe('The reasons why the server or some of its tools are unavailable.'),
        tools: z.array(z.object({ name: z.string(), description: z.string() })),
      })
      .meta({ id: 'ListedServer' }),
  ),
})

/** Lists the MCP servers of a folder, and starts those that are not running. */
export const listMcpServers: Endpoint<'GET /api/mcp', { readonly query: InFolder }, ServerList> = {
  name: 'GET /api/mcp',
  about: 'List the MCP servers in the settings, with their states and tools.',
  details:
    "Starts the servers, unless they are running. Servers in a folder's settings are started only if the folder is trusted.",
  query: z.strictObject({ folder }),
  answers: { 200: { about: 'The servers.', schema: serverList } },
  async handle({ query }, { services: { folders } }) {
    return listServers(await folders.open(query.folder), folders)
  },
}

/** Restarts the MCP servers of a folder. */
export const restartMcpServers: Endpoint<
  'POST /api/mcp/restart',
  { readonly body: InFolder },
  ServerList
> = {
  name: 'POST /api/mcp/restart',
  about: 'Stop the MCP servers of a folder and start them again.',
  details:
    'Each run has its own servers, which stay open for a while after it with its background commands. They also stop, as do those started in folders inside this one; they start again when they are needed. Servers that a run or a call is using stop when it has ended.',
  body: z.strictObject({ folder }),
  answers: { 200: { about: 'The restarted servers.', schema: serverList } },
  async handle({ body }, { services: { folders } }) {
    const { folder: path } = await folders.open(body.folder)
    await folders.reload(path)
    // Reopens the folder: stopping takes a while, and its trust may have been revoked in the
    // meantime.
    return listServers(await folders.open(path), folders)
  },
}

function listServers(workspace: Workspace, folders: ApiServices['folders']): Promise<ServerList> {
  const { settings } = workspace
  return folders.useTools(workspace, async (tools) => {
    const servers = new Map<string, ListedServer>()
    const add = (values: Workspace['settings']['values'], isTrusted: boolean): void => {
      for (const { key, value, source } of values) {
        if (key !== 'mcpServers') continue
        // All values were created by the reader of this key.
        for (const [name, server] of Object.entries(value as Record<string, McpServer>))
          // If two servers have the same name, the stronger scope wins.
          if (!servers.has(name))
            servers.set(name, describeServer(name, server, source, isTrusted && tools))
      }
    }
    add(settings.values, true)
    add(settings.withheld.values, false)
    return { folder: workspace.folder, servers: [...servers.values()] }
  })
}

function describeServer(
  name: string,
  server: McpServer,
  source: RuleSource,
  opened: OpenTools | false,
): ListedServer {
  const shown = (
    settingWithoutSecrets('mcpServers', { [name]: server }) as Record<string, McpServer>
  )[name]!
  const offered = [...(opened ? opened.all.values() : [])].filter((tool) => tool.server === name)
  const urls = 'url' in server ? [server.url] : []
  const problems = (opened ? opened.problems : [])
    .filter((problem) => problem.server === name)
    .map(({ reason }) => textWithoutSecrets(reason, urls))
  const hasFailed = problems.length > 0 && offered.length === 0
  return {
    name,
    ...placeOf(source),
    ...('url' in shown
      ? { url: publicUrl(shown.url) }
      : { command: shown.command, args: shown.args }),
    variables: 'env' in server ? Object.keys(server.env ?? {}) : [],
    headers: 'headers' in server ? Object.keys(server.headers ?? {}) : [],
    state: !opened ? 'untrusted' : server.disabled ? 'disabled' : hasFailed ? 'failed' : 'started',
    problems,
    tools: offered.map((tool) => ({ name: tool.name, description: tool.description })),
  }
}
