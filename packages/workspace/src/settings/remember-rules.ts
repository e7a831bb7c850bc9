import type { RunOptions } from '@toolglot/agent'
import type { RuleSource } from '@toolglot/permissions'
import type { Workspace } from '../workspace.ts'
import { allowInFolder } from './allow-in-folder.ts'
import { addAllowRules, type Addition, addNetworkHosts } from './edit-settings.ts'
import { refuseInvalidRules } from './permissions-of.ts'
import { addToUserSettings } from './user-settings.ts'

type Places = Pick<Workspace, 'folder' | 'directories' | 'permissions'>
type Allowed = Parameters<NonNullable<RunOptions['remember']>>[0]

/**
 * Stores rules, or hosts that commands may reach, which a person chose to allow always: in their own settings, or in the local
 * settings of the workspace's folder, which must be trusted and stays so. Returns the file; throws a UserError if they cannot be
 * stored.
 */
export function rememberAllowed(
  workspace: Places,
  allowed: Allowed,
  scope: 'user' | 'folder',
): Promise<string> {
  return 'rules' in allowed
    ? rememberRules(workspace, allowed.rules, scope)
    : rememberHosts(workspace, allowed.hosts, scope)
}

/** Stores rules that a person chose to allow always, as `rememberAllowed` does. */
export async function rememberRules(
  workspace: Places,
  rules: readonly string[],
  scope: 'user' | 'folder',
): Promise<string> {
  const { tools } = await workspace.permissions()
  const source: RuleSource = { scope: scope === 'user' ? 'user' : 'local' }
  refuseInvalidRules({ verdict: 'allow', source }, rules, tools)
  return store(workspace, scope, {
    key: 'permissions.allow',
    add: (text, options) => addAllowRules(text, rules, options),
  })
}

async function rememberHosts(
  workspace: Places,
  hosts: readonly string[],
  scope: 'user' | 'folder',
): Promise<string> {
  return store(workspace, scope, {
    key: 'sandbox.network',
    add: (text, options) => addNetworkHosts(text, hosts, options),
  })
}

function store(
  { folder, directories }: Pick<Places, 'folder' | 'directories'>,
  scope: 'user' | 'folder',
  addition: Addition,
): string {
  return scope === 'user'
    ? addToUserSettings(directories, addition)
    : allowInFolder(folder, addition, directories)
}
