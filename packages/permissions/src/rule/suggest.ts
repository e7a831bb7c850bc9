import type { PermissionCall } from '../decide/call.ts'
import { decide, type Permissions } from '../decide/decide.ts'
import type { FileSystemView } from '../decide/file-system.ts'
import { readRules } from './read-rules.ts'
import { suggestRuleForEach, suggestedRules } from './suggest-for-each.ts'

/**
 * The narrowest rules that would allow this call without asking again, one for each part that needs
 * approval. Empty if rules can't allow the call, or if a rule would allow more than this call, such
 * as an interpreter or a pattern.
 */
export async function suggestRules(
  call: PermissionCall,
  permissions: Permissions,
  fileSystem: FileSystemView,
): Promise<readonly string[]> {
  const decision = await decide(call, permissions, fileSystem)
  const texts = suggestedRules(await suggestRuleForEach(decision, permissions, fileSystem))
  if (texts.length === 0) return []
  const { rules } = readRules({ allow: texts }, { tools: permissions.tools })
  const after = await decide(
    call,
    { ...permissions, rules: [...permissions.rules, ...rules] },
    fileSystem,
  )
  return after.verdict === 'allow' ? texts : []
}
