import type { RuleSource } from '@toolglot/permissions'
import type { Workspace } from '../workspace.ts'
import { allowInFolder } from './allow-in-folder.ts'
import { refuseInvalidRules } from './permissions-of.ts'
import { allowInUserSettings } from './user-settings.ts'

/**
 * Stores rules that a person chose to allow always: in their own settings, or in the local settings of the workspace's folder,
 * which must be trusted and stays so. Returns the file; throws a UserError if they cannot be stored.
 */
export async function rememberRules(
  { folder, directories, permissions }: Pick<Workspace, 'folder' | 'directories' | 'permissions'>,
  rules: readonly string[],
  scope: 'user' | 'folder',
): Promise<string> {
  const { tools } = await permissions()
  const source: RuleSource = { scope: scope === 'user' ? 'user' : 'local' }
  refuseInvalidRules({ verdict: 'allow', source }, rules, tools)
  return scope === 'user'
    ? allowInUserSettings(directories, rules)
    : allowInFolder(folder, rules, directories)
}
