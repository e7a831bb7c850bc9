import type { CheckedCall } from '../decide/call.ts'
import type { DecisionPart } from '../decide/decision.ts'

/**
 * The calls that need approval:
 *
 * - `default`: everything that no rule allows, except reading the workspace
 * - `acceptEdits`: the same, except writing in the workspace
 * - `plan`: everything that changes something is denied
 * - `dontAsk`: nothing; what would need approval is denied
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
 * Whether a mode allows less than another for every call. `plan` and `dontAsk` cannot be compared: one asks where the
 * other denies, and runs what the other does not.
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
