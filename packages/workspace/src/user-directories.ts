import { isAbsolute, join } from 'node:path'
import { homeDirectory } from '@toolglot/permissions/node'

/** Where a person's and the machine's own settings are. */
export interface UserDirectories {
  readonly home: string
  /** The person's settings and what they trust. */
  readonly config: string
  /** What outlives a run: logs, todos, checkpoints. */
  readonly state: string
  /** The settings of whoever administers the machine. */
  readonly managed: string
}

export function userDirectories(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): UserDirectories {
  const { XDG_CONFIG_HOME, XDG_STATE_HOME } = env
  const home = homeDirectory(env)
  const config =
    XDG_CONFIG_HOME && isAbsolute(XDG_CONFIG_HOME) ? XDG_CONFIG_HOME : join(home, '.config')
  const state =
    XDG_STATE_HOME && isAbsolute(XDG_STATE_HOME) ? XDG_STATE_HOME : join(home, '.local/state')
  const managed = platform === 'darwin' ? '/Library/Application Support' : '/etc'
  return {
    home,
    config: join(config, 'toolglot'),
    state: join(state, 'toolglot'),
    managed: join(managed, 'toolglot'),
  }
}
