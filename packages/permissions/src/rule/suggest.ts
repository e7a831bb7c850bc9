import type { PermissionCall } from '../decide/call.ts'
import { decide, type Permissions } from '../decide/decide.ts'
import type { DecisionPart } from '../decide/decision.ts'
import type { Operation } from '../decide/operation.ts'
import { fileRule, ruleForCommand } from './narrow-rule.ts'
import { readRules } from './read-rules.ts'
import type { FileSystemView } from '../decide/file-system.ts'

/**
 * The narrowest rules that would allow this call without asking again, one for each part that asks. Empty if rules can't
 * allow it, or if one would allow more than this call, such as an interpreter or a pattern.
 */
export async function suggestRules(
  call: PermissionCall,
  permissions: Permissions,
  fileSystem: FileSystemView,
): Promise<readonly string[]> {
  const { parts } = await decide(call, permissions, fileSystem)
  const asking = parts.filter(({ verdict }) => verdict === 'ask')
  if (asking.length === 0 || asking.length > MAX_SUGGESTIONS) return []
  const texts = asking.map((part) => ruleFor(part, fileSystem))
  if (!texts.every((text) => text !== undefined)) return []
  const { rules, problems } = readRules({ allow: [...new Set(texts)] })
  if (problems.length > 0) return []
  const after = await decide(
    call,
    { ...permissions, rules: [...permissions.rules, ...rules] },
    fileSystem,
  )
  return after.verdict === 'allow' ? rules.map(({ text }) => text) : []
}

/** For one part of a call that needs approval: the narrowest rule that would allow it, or why there is none. */
export type RuleSuggestion =
  | { readonly what: string; readonly rule: string }
  | { readonly what: string; readonly reason: string }

/** Nobody reads a longer list before approving it. */
export const MAX_SUGGESTIONS = 5

function ruleFor({ subject, rule }: DecisionPart, fileSystem: FileSystemView): string | undefined {
  // An allow rule doesn't override the ask rule that decided this.
  if (!subject || rule) return undefined
  if ('kind' in subject) return operationRule(subject, fileSystem)
  const found = ruleForCommand(subject)
  return 'rule' in found ? found.rule : undefined
}

function operationRule(operation: Operation, { cwd }: FileSystemView): string | undefined {
  if (operation.kind === 'fetch') {
    const { url } = operation
    const host = url !== undefined && URL.canParse(url) ? new URL(url).hostname : '*'
    // In a rule, it would mean any host.
    return host.includes('*') ? undefined : `WebFetch(domain:${host})`
  }
  const { kind, path, cwd: from = cwd } = operation
  if (path === undefined || operation.removes) return undefined
  return fileRule(
    kind === 'write' ? 'Edit' : 'Read',
    path.startsWith('/') ? path : `${from}/${path}`,
  )
}
