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

/** Which tools are opened, and how. */
export interface OpenToolsOptions {
  /** Leave out MCP servers and the user's own tools. */
  readonly canonicalOnly?: true | undefined
  /** Which of the MCP servers that settings name are started. Default: all. */
  readonly startServer?: ((name: string) => boolean) | undefined
  /** How long to wait for each MCP server, in milliseconds. Default: 5000. */
  readonly serverTimeout?: number | undefined
  /** Answers a model's questions. */
  readonly ask?: Ask | undefined
  /** The tools are only listed or only read: the state folder need not exist. */
  readonly keepsNothing?: true | undefined
  /** The name of this machine, to which the tools are bound. Default: none. */
  readonly machine?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/** The tools of a workspace, ready to run. */
export interface OpenTools {
  readonly host: Host
  /** The canonical tools, those of MCP servers, and the user's own, by name, without those that settings turn off. */
  readonly tools: ReadonlyMap<string, Tool>
  /** The same with those that settings turn off, to list them: none of those may run. */
  readonly all: ReadonlyMap<string, Tool>
  /** The tools that settings turn off, by name. */
  readonly disabled: ReadonlyMap<string, DisabledTool>
  readonly checkpoints: Checkpoints
  /** Why tools of an MCP server are missing, and what is wrong with `toolToggles`. */
  readonly warnings: readonly string[]
  /** Why tools of an MCP server are missing, for programs. */
  readonly problems: readonly McpProblem[]
  /** Why a tool is off, by its name or an alias; undefined if it is on, or if there is none. */
  readonly whyDisabled: (name: string) => DisabledTool | undefined
  /** The same open tools, with those turned off that these settings turn off. */
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
  // Loading the tools takes time: only those who use them wait for it.
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

/** How the commands of a workspace are sandboxed. */
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

/** The tools by name. All are bound to the machine: their folder, its settings and what they start are there. */
function boundTo(
  machine: string | undefined,
  tools: readonly (readonly [string, Tool])[],
): ReadonlyMap<string, Tool> {
  if (machine === undefined) return new Map(tools)
  return new Map(tools.map(([name, tool]) => [name, { ...tool, host: machine }]))
}

/** A text that changes when other tools would be opened: with the trust in a folder, and with the settings that name them. */
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

/** The name of the tool that a name means: some models write `functions.Bash`. */
function toolNamed(name: string): string {
  const own = name.replace(/^functions\./, '')
  return aliases.get(own)?.tool ?? own
}

/** Closes all, even if one fails; then throws the first error. */
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

/** The language servers that settings name, the strongest scope first. */
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
