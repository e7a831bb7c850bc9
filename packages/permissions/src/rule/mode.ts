import type { CheckedCall } from '../decide/call.ts'
import type { DecisionPart } from '../decide/decision.ts'

/**
 * How much is asked:
 *
 * - `default`: what no rule allows, apart from reading the workspace
 * - `acceptEdits`: writing in the workspace is not asked
 * - `plan`: nothing is changed
 * - `dontAsk`: nobody is asked: what would ask is denied
 */
export type PermissionMode = 'default' | 'acceptEdits' | 'plan' | 'dontAsk'

export const PERMISSION_MODES: readonly PermissionMode[] = [
  'default',
  'acceptEdits',
  'plan',
  'dontAsk',
]

function isEdit(subject: DecisionPart['subject']): boolean {
  return subject !== undefined && 'kind' in subject && subject.kind === 'write' && !subject.removes
}

/** What a mode makes of a part. */
export function applyMode(
  part: DecisionPart,
  mode: PermissionMode,
  { access }: CheckedCall,
): DecisionPart {
  if (mode === 'plan' && !access.readOnly)
    return { ...part, verdict: 'deny', why: 'plan mode changes nothing' }
  if (mode === 'acceptEdits' && part.unspoken && isEdit(part.subject))
    return { ...part, verdict: 'allow', why: 'edits in the workspace are accepted' }
  if (mode === 'dontAsk' && part.verdict === 'ask')
    return { ...part, verdict: 'deny', why: `${part.why}; and nobody is to be asked` }
  return part
}
