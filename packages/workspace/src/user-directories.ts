import { isAbsolute, join } from 'node:path'
import { stateFolder } from '@toolglot/agent/node/internal'
import { homeDirectory } from '@toolglot/permissions/node'

/** The folders of a user, and of the machine's administrator. */
export interface UserDirectories {
  readonly home: string
  /** The user's settings and trusted folders. */
  readonly config: string
  /** The folder for data that outlives a run: journal, logs, todos, checkpoints. */
  readonly state: string
  /** The administrator's settings. */
  readonly managed: string
}

/** The folders of a user, from the environment. */
export function userDirectories(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): UserDirectories {
  const { XDG_CONFIG_HOME } = env
  const home = homeDirectory(env)
  const config =
    XDG_CONFIG_HOME && isAbsolute(XDG_CONFIG_HOME) ? XDG_CONFIG_HOME : join(home, '.config')
  const managed = platform === 'darwin' ? '/Library/Application Support' : '/etc'
  return {
    home,
    config: join(config, 'toolglot'),
    state: stateFolder(env),
    managed: join(managed, 'toolglot'),
  }
}
