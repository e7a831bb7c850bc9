// Folder: The tools of a workspace.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Ask, Tool } from '@toolglot/agent'
import { aliases } from '@toolglot/permissions/internal'
import type { Checkpoints, Host, NodeHostOptions } from '@toolglot/tools'
import type { McpProblem, McpServer, McpTools } from '@toolglot/tools/mcp'
import type { ServerDefinition } from '@toolglot/tools/internal'
import { resolvePath } from '../inside.ts'
import { sandboxSettings } from '../settings/keys/sandbox.ts'
import { settingValues } from '../settings/keys/key.ts'
import { tools as ownTools } from '../settings/keys/tools.ts'
import { stateFolder } from '../state-folder.ts'
import { visibleLine } from '../visible.ts'
import type { Workspace } from '../workspace.ts'
import { type DisabledTool, toggleTools } from './toggles.ts'
import { languageServers as languageServersKey } from '../settings/keys/language-servers.ts'
import type { Settings } from '../settings/merge-settings.ts'
import { mcpServers as mcpServersKey } from '../settings/keys/mcp-servers.ts'

/** The tools to open, and options for opening them. */
export interface OpenToolsOptions {
  /** Leave out MCP servers and the user's own tools. */
  readonly canonicalOnly?: true | undefined
  /** Selects the MCP servers to start. Default: all in the settings. */
  readonly startServer?: ((name: string) => boolean) | undefined
  /** The time to wait for each MCP server, in milliseconds. Default: 5000. */
  readonly serverTimeout?: number | undefined
  /** Answers questions asked by a model. */
  readonly ask?: Ask | undefined
  /** The tools are only listed or only read files, so no state folder is required. */
  readonly keepsNothing?: true | undefined
  /** The name of this machine, to bind the tools to it. Default: none. */
  readonly machine?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/** The open tools of a workspace. */
export interface OpenTools {
  readonly host: Host
  /** The enabled tools by name: canonical tools, tools of MCP servers, and the user's own tools. */
  readonly tools: ReadonlyMap<string, Tool>
  /** All tools including disabled ones, for lists. The disabled ones must not run. */
  readonly all: ReadonlyMap<string, Tool>
  /** The tools disabled by settings, by name. */
  readonly disabled: ReadonlyMap<string, DisabledTool>
  readonly checkpoints: Checkpoints
  /** The reasons why tools of an MCP server are missing, and problems with `toolToggles`. */
  readonly warnings: readonly string[]
  /** The reasons why tools of an MCP server are missing, in a form for programs. */
  readonly problems: readonly McpProblem[]
  /**
   * The reason why a tool is disabled, by name or alias. Undefined if it is enabled or does not
   * exist.
   */
  readonly whyDisabled: (name: string) => DisabledTool | undefined
  /** Returns the same open tools without the tools that these settings disable. */
  readonly withTogglesOf: (workspace: Pick<Workspace, 'settings'>) => OpenTools
  readonly close: () => Promise<void>
}

/** Opens the tools of a workspace: starts its MCP servers and loads its own tools. */
export async function openTools(
  workspace: Workspace,
  options: OpenToolsOptions = {},
): Promise<OpenTools> {
  const { settings, trust, fileSystem, directories, env } = workspace
  const { canonicalOnly = false } = options
  const own = canonicalOnly ? [] : await workspace.ownTools()
  // Loaded on demand, because it takes time that other commands should not spend.
  const { createCheckpoints, createTools, nodeHost, nodeStorage, searchProviderFrom } =
    await import('@toolglot/tools')
  const host = nodeHost({
    fileSystem,
    storage: options.keepsNothing
      ? { folder: directories.state }
      : nodeStorage(stateFolder(directories)),
    environment: env,
    ask: options.ask,
    sandbox: sandboxOptions(workspace),
    language: { trusted: trust === 'trusted', servers: languageServersIn(settings) },
  })
  try {
    const provider = searchProviderFrom(env)
    const tools = createTools(host, provider ? { provider } : {})
    const checkpoints = createCheckpoints(host)
    const servers = Object.entries(mcpServersIn(settings, directories.home)).filter(
      ([name]) => !canonicalOnly && (options.startServer?.(name) ?? true),
    )
    const foreign = servers.length > 0 ? await startServers(host, servers, options, env) : undefined
    const problems = [...(foreign?.problems ?? [])]
    const all = boundTo(options.machine, [...tools, ...(foreign?.tools ?? []), ...own])
    const withTogglesOf: OpenTools['withTogglesOf'] = ({ settings: now }) => {
      const toggled = toggleTools(all, now)
      return {
        ...toggled,
        host,
        all,
        checkpoints,
        problems,
        warnings: [
          ...problems.map(
            ({ server, reason }) => `the MCP server ${server}: ${visibleLine(reason)}`,
          ),
          ...toggled.warnings,
        ],
        whyDisabled: (name) => toggled.disabled.get(toolNamed(name)),
        withTogglesOf,
        close: () => closeAll(foreign ? [foreign, host] : [host]),
      }
    }
    return withTogglesOf(workspace)
  } catch (error) {
    await Promise.allSettled([host.close()])
    throw error
  }
}

/** The sandbox options for the commands of a workspace. */
export function sandboxOptions({
  settings,
  directories,
  exposeHome,
}: Pick<Workspace, 'settings' | 'directories' | 'exposeHome'>): NonNullable<
  NodeHostOptions['sandbox']
> {
  const { read = [], write = [], ...others } = sandboxSettings(settings)
  const absolute = (path: string): string => resolve(resolvePath(path, '/', directories.home))
  return { ...others, read: read.map(absolute), write: write.map(absolute), exposeHome }
}

/**
 * The tools by name. All of them are bound to the machine that has their folder, its settings, and
 * the programs they start.
 */
function boundTo(
  machine: string | undefined,
  tools: readonly (readonly [string, Tool])[],
): ReadonlyMap<string, Tool> {
  if (machine === undefined) return new Map(tools)
  return new Map(tools.map(([name, tool]) => [name, { ...tool, host: machine }]))
}

/**
 * A string that changes whenever different tools would be opened, because trust in a folder or
 * relevant settings have changed.
 */
export function toolsVersion({
  settings,
  trust,
  fileSystem,
  directories,
}: Pick<Workspace, 'settings' | 'trust' | 'fileSystem' | 'directories'>): string {
  return JSON.stringify([
    trust,
    fileSystem.roots,
    mcpServersIn(settings, directories.home),
    languageServersIn(settings),
    sandboxSettings(settings),
    settingValues(settings, ownTools),
  ])
}

/** The name of the tool that a name refers to: some models write `functions.Bash`. */
function toolNamed(name: string): string {
  const own = name.replace(/^functions\./, '')
  return aliases.get(own)?.tool ?? own
}

/** Closes all resources, even if one fails, then throws the first error. */
async function closeAll(opened: readonly { close(): Promise<void> }[]): Promise<void> {
  const results = await Promise.allSettled(opened.map((each) => each.close()))
  for (const result of results) if (result.status === 'rejected') throw result.reason
}

async function startServers(
  host: Host,
  servers: readonly (readonly [string, McpServer])[],
  { serverTimeout = 5000, signal }: OpenToolsOptions,
  environment: Workspace['env'],
): Promise<McpTools> {
  const { mcpTools } = await import('@toolglot/tools/mcp')
  return mcpTools(Object.fromEntries(servers), {
    host,
    environment,
    version: ownVersion(),
    startTimeout: serverTimeout,
    signal,
  })
}

function ownVersion(): string {
  const file = new URL('../../package.json', import.meta.url)
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}

/** The language servers in the settings, strongest scope first. */
function languageServersIn(settings: Settings): readonly ServerDefinition[] {
  return settingValues(settings, languageServersKey).flatMap(({ value, source }) =>
    value.map(({ name, command, endings, language = name, markers = [] }) => ({
      name,
      command,
      languages: Object.fromEntries(endings.map((ending) => [ending, language])),
      markers,
      install: `see languageServers in ${source.file ?? 'the settings'}`,
    })),
  )
}

/** The MCP servers in the settings. If two have the same name, the stronger scope wins. */
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
