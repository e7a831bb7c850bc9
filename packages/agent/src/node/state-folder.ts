import { isAbsolute, join } from 'node:path'
import { homeDirectory } from '@toolglot/permissions/node'

/** The folder of what outlives a run, from the environment. */
export function stateFolder(env: Readonly<Record<string, string | undefined>>): string {
  const { XDG_STATE_HOME } = env
  const state =
    XDG_STATE_HOME && isAbsolute(XDG_STATE_HOME)
      ? XDG_STATE_HOME
      : join(homeDirectory(env), '.local/state')
  return join(state, 'toolglot')
}
