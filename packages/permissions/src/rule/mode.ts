import type { CheckedCall } from '../decide/call.ts'
import type { Part } from '../decide/decision.ts'

/**
 * How much is asked:
 *
 * - `default`: what no rule allows, apart from reading the workspace
 * - `acceptEdits`: writing in the workspace is not asked
 * - `plan`: nothing is changed
 * - `dontAsk`: nobody is asked: what would ask is denied
 */
export type Mode = 'default' | 'acceptEdits' | 'plan' | 'dontAsk'

export const MODES: readonly Mode[] = ['default', 'acceptEdits', 'plan', 'dontAsk']

function isEdit(subject: Part['subject']): boolean {
  return subject !== undefined && 'kind' in subject && subject.kind === 'write' && !subject.removes
}

/** What a mode makes of a part. */
export function inMode(part: Part, mode: Mode, { access }: CheckedCall): Part {
  if (mode === 'plan' && !access.readOnly)
    return { ...part, verdict: 'deny', why: 'plan mode changes nothing' }
  if (mode === 'acceptEdits' && part.unspoken && isEdit(part.subject))
    return { ...part, verdict: 'allow', why: 'edits in the workspace are accepted' }
  if (mode === 'dontAsk' && part.verdict === 'ask')
    return { ...part, verdict: 'deny', why: `${part.why}; and nobody is to be asked` }
  return part
}
