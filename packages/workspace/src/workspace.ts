import { realpathSync, statSync } from 'node:fs'
import type { Tool } from '@toolglot/agent'
import type { FileSystemView, PermissionMode, Permissions } from '@toolglot/permissions'
import { noSuchPath } from '@toolglot/permissions/errors/internal'
import { nodeFileSystem } from '@toolglot/permissions/node'
import { resolvePath } from './inside.ts'
import { type OwnProtocol, loadOwnProtocols } from './protocols/own-protocols.ts'
import { codeRules } from './settings/code-files.ts'
import { readSettingsFile } from './settings/find-settings.ts'
import { type LoadedSettings, loadSettings } from './settings/load-settings.ts'
import { permissionsOf } from './settings/permissions-of.ts'
import { printProblem, type SettingsFile } from './settings/settings-file.ts'
import { grantsNothing } from './settings/merge-settings.ts'
import { loadOwnTools } from './tools/own-tools.ts'
import { type UserDirectories, userDirectories } from './user-directories.ts'
import { quote } from './visible.ts'
import { UserError } from './user-error.ts'

/** The caller's settings, in addition to those found in the folder. */
export interface WorkspaceOptions {
  /** Environment variables. Default: `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
  /** Additional rules, equivalent to rules on the command line. */
  readonly allow?: readonly string[] | undefined
  readonly ask?: readonly string[] | undefined
  readonly deny?: readonly string[] | undefined
  readonly mode?: PermissionMode | undefined
  /** Absolute paths of additional settings files, equivalent to files on the command line. */
  readonly settings?: readonly string[] | undefined
  /** Also read the permissions in Claude Code's settings. */
  readonly importClaude?: boolean | undefined
  /** A user is present to answer questions. Default: true. */
  readonly interactive?: boolean | undefined
  /**
   * The user has confirmed that commands can read and change all files in the home folder, if it is
   * in the workspace.
   */
  readonly exposeHome?: boolean | undefined
}

/** An open folder: its settings and all values derived from them. */
export interface Workspace extends LoadedSettings {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly directories: UserDirectories
  readonly fileSystem: FileSystemView
  /**
   * The user has confirmed that commands can read and change all files in the home folder, if it is
   * in the workspace.
   */
  readonly exposeHome: boolean
  /** Problems in the settings, and settings ignored because the folder is not trusted. */
  readonly warnings: readonly string[]
  /**
   * Opens this folder again with its current settings, or another folder, using the same options
   * and these rules.
   */
  readonly reopen: (
    path?: string,
    more?: Pick<WorkspaceOptions, 'allow' | 'ask' | 'deny' | 'mode'>,
  ) => Promise<Workspace>
  /** The permissions. Loads the user's own tools, because rules can refer to them. */
  readonly permissions: () => Promise<Permissions>
  /**
   * The tools in files listed in settings, by name. They are loaded once, which runs their code.
   */
  readonly ownTools: () => Promise<ReadonlyMap<string, Tool>>
  /** The protocols in files listed in settings. They are loaded once, which runs their code. */
  readonly ownProtocols: () => Promise<readonly OwnProtocol[]>
}

/** Opens a folder and reads its settings once. Throws a UserError if the folder does not exist. */
export async function openWorkspace(
  path: string,
  options: WorkspaceOptions = {},
): Promise<Workspace> {
  const { env = process.env, importClaude = false, interactive = true } = options
  const { exposeHome = false } = options
  const directories = userDirectories(env)
  const folder = realFolder(path)
  const named = await Promise.all(
    (options.settings ?? []).map((file) => readSettingsFile(file, { root: folder })),
  )
  const given = settingsFrom(options, folder)
  const more = [...(given.rules.length > 0 || given.mode ? [given] : []), ...named]
  const loaded = loadSettings(folder, { directories, importClaude, more })
  const { settings } = loaded
  const roots = settings.roots.map(({ path: root, source }) =>
    resolvePath(root, source.root ?? folder, directories.home),
  )
  const ownTools = once(() => loadOwnTools(settings, directories))
  return {
    ...loaded,
    env,
    directories,
    fileSystem: nodeFileSystem({ cwd: folder, home: directories.home, roots: [folder, ...roots] }),
    exposeHome,
    warnings: warningsOf(loaded),
    reopen: (other = folder, { allow = [], ask = [], deny = [], mode = options.mode } = {}) =>
      openWorkspace(other, {
        ...options,
        mode,
        allow: [...(options.allow ?? []), ...allow],
        ask: [...(options.ask ?? []), ...ask],
        deny: [...(options.deny ?? []), ...deny],
      }),
    ownTools,
    permissions: once(async () => {
      const tools = new Map([...(await ownTools())].map(([name, { access }]) => [name, access]))
      const { rules, ...others } = permissionsOf(settings, tools.size > 0 ? tools : undefined)
      const code = codeRules(settings, directories.home, folder)
      return { ...others, rules: [...rules, ...code], interactive }
    }),
    ownProtocols: once(() => loadOwnProtocols(settings, directories)),
  }
}

/** The options as settings. */
function settingsFrom(options: WorkspaceOptions, root: string): SettingsFile {
  const source = { scope: 'cli', root } as const
  const rules = (['deny', 'ask', 'allow'] as const).flatMap((verdict) =>
    (options[verdict] ?? []).map((text) => ({ verdict, text, source })),
  )
  return {
    file: 'the command line',
    scope: 'cli',
    rules,
    mode: options.mode,
    roots: [],
    protocols: [],
    values: [],
    problems: [],
    warnings: [],
  }
}

function warningsOf({ settings, trust, folder }: LoadedSettings): string[] {
  const { problems, warnings, withheld } = settings
  const why = trust === 'changed' ? 'have changed since you trusted it' : 'are not trusted'
  return [
    ...[...problems, ...warnings].map(printProblem),
    ...(problems.length > 0 ? ['until this is fixed, every call needs approval'] : []),
    ...(grantsNothing(withheld)
      ? []
      : [`the settings of ${quote(folder)} ${why}: they grant no permissions. See toolglot trust`]),
  ]
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined
  return () => (made ??= make())
}

/** The real path of a folder, or undefined if it does not exist. */
export function findFolder(path: string): string | undefined {
  try {
    const real = realpathSync.native(path)
    return statSync(real).isDirectory() ? real : undefined
  } catch {
    // The folder does not exist or is inaccessible.
    return undefined
  }
}

/** The real path of a folder. Throws a UserError if it does not exist. */
export function realFolder(path: string): string {
  const found = findFolder(path)
  if (found !== undefined) return found
  throw new UserError('data', noSuchPath('folder', quote(path)))
}
