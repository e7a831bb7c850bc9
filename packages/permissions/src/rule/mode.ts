import type { CheckedCall } from '../decide/call.ts'
import type { DecisionPart } from '../decide/decision.ts'

/**
 * The calls that need approval in each mode:
 *
 * - `default`: those that no rule allows, except reading the workspace
 * - `acceptEdits`: the same, except edits in the workspace
 * - `plan`: as in `default`, but calls that change something are denied
 * - `dontAsk`: none; calls that would need approval are denied
 */
export type PermissionMode = 'default' | 'acceptEdits' | 'plan' | 'dontAsk'

/** All permission modes. */
export const PERMISSION_MODES: readonly PermissionMode[] = [
  'default',
  'acceptEdits',
  'plan',
  'dontAsk',
]

/**
 * True if a mode allows less than another for every call. `plan` and `dontAsk` cannot be compared:
 * each allows calls that the other denies.
 */
export function isStricter(mode: PermissionMode, than: PermissionMode): boolean {
  return LOOSER[mode].includes(than)
}

const LOOSER: Readonly<Record<PermissionMode, readonly PermissionMode[]>> = {
  acceptEdits: [],
  default: ['acceptEdits'],
  dontAsk: ['default', 'acceptEdits'],
  plan: ['default', 'acceptEdits'],
}

function isEdit(subject: DecisionPart['subject']): boolean {
  return subject !== undefined && 'kind' in subject && subject.kind === 'write' && !subject.removes
}

/** The verdict on a part in this mode. */
export function applyMode(
  part: DecisionPart,
  mode: PermissionMode,
  { access }: CheckedCall,
): DecisionPart {
  if (mode === 'plan' && !access.readOnly)
    return { ...part, verdict: 'deny', why: 'plan mode allows no changes' }
  if (mode === 'acceptEdits' && part.unspoken && isEdit(part.subject))
    return { ...part, verdict: 'allow', why: 'acceptEdits mode allows edits in the workspace' }
  if (mode === 'dontAsk' && part.verdict === 'ask')
    return {
      ...part,
      verdict: 'deny',
      why: `${part.why}; this needs approval, and dontAsk mode denies it`,
    }
  return part
}
