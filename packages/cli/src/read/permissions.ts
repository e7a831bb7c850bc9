import { type Mode, type Permissions, readRules, type World } from '@toolglot/agent'
import { nodeWorld } from '@toolglot/agent/node'
import type { Terminal } from '../terminal.ts'

/** What the command line says about permissions. */
export interface PermissionFlags {
  readonly allow: readonly string[]
  readonly ask: readonly string[]
  readonly deny: readonly string[]
  readonly mode?: Mode
  readonly cwd?: string
  readonly interactive: boolean
}

/** The permissions that hold in a folder, with those of the command line. */
export function permissionsIn(
  flags: PermissionFlags,
  _terminal: Terminal,
): { permissions: Permissions; world: World; warnings: readonly string[] } {
  const given = (['deny', 'ask', 'allow'] as const).map((verdict) =>
    readRules(flags[verdict], verdict, { scope: 'cli' }),
  )
  const permissions: Permissions = {
    rules: given.flatMap(({ rules }) => rules),
    problems: given.flatMap(({ problems }) => problems),
    interactive: flags.interactive,
    ...(flags.mode && { mode: flags.mode }),
  }
  return { permissions, world: nodeWorld({ cwd: flags.cwd ?? process.cwd() }), warnings: [] }
}
