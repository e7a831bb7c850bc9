import { resolve } from 'node:path'
import { openWorkspace, type Workspace, type WorkspaceOptions } from '@toolglot/workspace'
import type { Terminal } from './terminal.ts'
import { warn } from './warn.ts'

/** The flags of the command line that say what applies in a workspace. */
export interface WorkspaceFlags extends Omit<WorkspaceOptions, 'env'> {
  /** The folder. Default: the current one. */
  readonly cwd?: string | undefined
}

/** Opens the workspace that the command line names. Every command opens it once. */
export function workspaceOf(
  { cwd = '.', settings = [], ...flags }: WorkspaceFlags,
  terminal: Terminal,
): Promise<Workspace> {
  const named = settings.map((file) => resolve(terminal.cwd, file))
  return openWorkspace(resolve(terminal.cwd, cwd), { ...flags, settings: named, env: terminal.env })
}

/** The same, with what is wrong with its settings printed. */
export async function workspaceWithWarnings(
  flags: WorkspaceFlags,
  terminal: Terminal,
): Promise<Workspace> {
  const workspace = await workspaceOf(flags, terminal)
  printWarnings(workspace, terminal)
  return workspace
}

/** Prints what is wrong with the settings of a workspace. */
export function printWarnings({ warnings }: Workspace, terminal: Terminal): void {
  for (const warning of warnings) warn(warning, terminal)
}
