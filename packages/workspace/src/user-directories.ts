import { isAbsolute, join } from 'node:path'
import { stateFolder } from '@toolglot/agent/node/internal'
import { homeDirectory } from '@toolglot/permissions/node'

/** The folders of the user and of the machine's administrator. */
export interface UserDirectories {
  readonly home: string
  /** The user's settings and trusted folders. */
  readonly config: string
  /** The folder for data that is kept between runs: journal, logs, tasks and checkpoints. */
  readonly state: string
  /** The administrator's settings. */
  readonly managed: string
}

/** The user's folders, based on the environment. */
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
