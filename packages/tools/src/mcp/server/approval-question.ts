import type { ToolCall } from '@toolglot/agent'
import type { Decision } from '@toolglot/permissions'
import { escapeHidden } from './escape-hidden.ts'

/** The approval question for a call: all of its arguments, why it needs approval, and the shell text that runs if it is another. */
export function approvalQuestion(
  { name, args }: ToolCall,
  { parts, runs }: Decision,
  folder: string,
): string {
  const reasons = parts
    .filter(({ verdict }) => verdict !== 'allow')
    .map(({ what, why }) => `- ${what}: ${why}`)
  // As JSON, like the arguments: a name of a file cannot begin a line.
  const runsAs = runs === undefined ? [] : [`Runs as: ${JSON.stringify(runs)}`]
  return escapeHidden(
    [`Run ${name} in ${folder}?`, JSON.stringify(args, undefined, 2), ...reasons, ...runsAs]
      .join('\n')
      .trimEnd(),
  )
}
