import { resolve } from 'node:path'
import { openWorkspace, type Workspace, type WorkspaceOptions } from '@toolglot/workspace'
import { findFolder, isYes, sandboxOptions } from '@toolglot/workspace/internal'
import { type Terminal, warn } from './terminal.ts'

/** The command-line flags that select a workspace and its settings. */
export interface WorkspaceFlags extends Omit<WorkspaceOptions, 'env'> {
  /** The folder. Default: the current one. */
  readonly cwd?: string | undefined
}

/** Opens the workspace of the command line. Every command opens it once. */
export function workspaceOf(
  { cwd = '.', settings = [], ...flags }: WorkspaceFlags,
  terminal: Terminal,
): Promise<Workspace> {
  const named = settings.map((file) => resolve(terminal.cwd, file))
  return openWorkspace(resolve(terminal.cwd, cwd), { ...flags, settings: named, env: terminal.env })
}

/**
 * Opens the workspace for a command that runs tools. If it contains the home folder, asks whether
 * commands may use all of it. Without confirmation, only commands fail.
 */
export async function workspaceForTools(
  flags: WorkspaceFlags,
  terminal: Terminal,
): Promise<Workspace> {
  const workspace = await workspaceOf(flags, terminal)
  const { ask } = flags.interactive === false ? {} : terminal
  if (!ask) return workspace
  // Imported here because it is large, and only these commands need it.
  const { exposesHome } = await import('@toolglot/tools/internal')
  const isExposed = await exposesHome(workspace.fileSystem, sandboxOptions(workspace))
  if (!isExposed || !isYes(await ask(homeQuestion(workspace)))) return workspace
  return await workspaceOf({ ...flags, exposeHome: true }, terminal)
}

function homeQuestion({ folder, directories: { home } }: Workspace): string {
  const what = folder === findFolder(home) ? 'is' : 'contains'
  return `This workspace ${what} your home folder. Commands could read and change everything in it: SSH keys, tokens, browser profiles, every project. Continue? [y/N] `
}

/** Opens the workspace, and prints problems with its settings. */
export async function workspaceWithWarnings(
  flags: WorkspaceFlags,
  terminal: Terminal,
): Promise<Workspace> {
  const workspace = await workspaceOf(flags, terminal)
  printWarnings(workspace, terminal)
  return workspace
}

/** Prints problems with the settings of a workspace. */
export function printWarnings({ warnings }: Workspace, terminal: Terminal): void {
  for (const warning of warnings) warn(warning, terminal)
}
