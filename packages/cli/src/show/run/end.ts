import type { EndReason, RunEvent } from '@toolglot/agent'
import { visible } from '@toolglot/workspace/internal'
import type { Colors } from '../../terminal.ts'

/** The reason why a run ended without an answer, and advice. Empty if there is an answer. */
export function showEnd(
  {
    reason,
    error,
    isChanged = false,
  }: Pick<Extract<RunEvent, { type: 'run-end' }>, 'reason' | 'error'> & {
    readonly isChanged?: boolean
  },
  { red, yellow }: Colors,
): string {
  if (reason === 'answer') return ''
  const paint = reason === 'cancelled' ? yellow : red
  const why = error === undefined ? '' : ` ${visible(error)}`
  const advice = isChanged ? 'To continue anyway, add --accept-changes.' : ADVICE[reason]
  return `${paint(`${reason.replaceAll('_', ' ')}:`)}${why}${advice === undefined ? '' : ` ${advice}`}\n`
}

const ADVICE: Partial<Record<EndReason, string>> = {
  max_iterations: 'Increase --max-turns, or split the task.',
  max_tool_calls: 'Split the task.',
  malformed: 'Is this the right protocol? Try another one with --protocol.',
  loop: 'Rephrase the prompt, or try another model.',
  context_overflow: 'Start a new run, or use a model with a larger context.',
}
