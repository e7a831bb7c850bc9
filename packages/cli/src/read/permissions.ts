import { resolve } from 'node:path'
import type { McpServer } from '@toolglot/tools/mcp'
import type { PermissionMode, Permissions, FileSystemView } from '@toolglot/permissions'
import { nodeFileSystem } from '@toolglot/permissions/node'
import {
  grantsNothing,
  type LoadedSettings,
  loadSettings,
  userDirectories,
  permissionsOf,
  readSettingsFile,
  resolvePath,
  type Settings,
  type SettingsFile,
} from '@toolglot/workspace'
import { showProblem } from '../show/settings.ts'
import { quote } from '../show/visible.ts'
import type { Terminal } from '../terminal.ts'
import { realFolder } from './folder.ts'
import { serversOf } from './servers.ts'

/** What the command line says about permissions. */
export interface PermissionFlags {
  readonly allow: readonly string[]
  readonly ask: readonly string[]
  readonly deny: readonly string[]
  readonly mode?: PermissionMode
  /** Files with settings that count as the command line's. */
  readonly settings: readonly string[]
  readonly importClaude?: boolean
  readonly cwd?: string
  readonly interactive: boolean
}

/** What holds in a folder. */
export interface InForce {
  readonly permissions: Permissions
  readonly fileSystem: FileSystemView
  readonly settings: Settings
  /** The MCP servers whose tools are tools here. */
  readonly servers: Readonly<Record<string, McpServer>>
  /** A person trusts the folder. */
  readonly trusted: boolean
  readonly warnings: readonly string[]
}

/** The permissions that hold in a folder, with those of the command line. */
export async function permissionsIn(flags: PermissionFlags, terminal: Terminal): Promise<InForce> {
  const directories = userDirectories(terminal.env)
  const cwd = realFolder(resolve(terminal.cwd, flags.cwd ?? '.'))
  const named = await Promise.all(
    flags.settings.map((file) => readSettingsFile(resolve(terminal.cwd, file), { root: cwd })),
  )
  const { importClaude = false } = flags
  const more = [settingsOf(flags, cwd), ...named]
  const loaded = loadSettings(cwd, { directories, importClaude, more })
  const { settings } = loaded
  const others = settings.roots.map(({ path, source }) =>
    resolvePath(path, source.root ?? cwd, directories.home),
  )
  return {
    permissions: { ...permissionsOf(settings), interactive: flags.interactive },
    fileSystem: nodeFileSystem({ cwd, home: directories.home, roots: [cwd, ...others] }),
    settings,
    servers: serversOf(settings, directories.home),
    trusted: loaded.trust === 'trusted',
    warnings: warningsOf(loaded),
  }
}

/** The command line as settings. */
function settingsOf(flags: PermissionFlags, root: string): SettingsFile {
  const source = { scope: 'cli', root } as const
  const rules = (['deny', 'ask', 'allow'] as const).flatMap((verdict) =>
    flags[verdict].map((text) => ({ verdict, text, source })),
  )
  return {
    file: 'the command line',
    scope: 'cli',
    rules,
    ...(flags.mode && { mode: flags.mode }),
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
    ...[...problems, ...warnings].map(showProblem),
    ...(problems.length > 0 ? ['until that is mended, everything is asked'] : []),
    ...(grantsNothing(withheld)
      ? []
      : [
          `the settings of ${quote(folder)} ${why}: what they allow does not count. See toolglot trust`,
        ]),
  ]
}
