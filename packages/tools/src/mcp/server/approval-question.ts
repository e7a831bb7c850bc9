import type { ToolCall } from '@toolglot/agent'
import type { Decision } from '@toolglot/permissions'
import { escapeHidden } from './escape-hidden.ts'

/** The approval question for a call: all of its arguments, and why it needs approval. */
export function approvalQuestion(
  { name, args }: ToolCall,
  { parts }: Decision,
  folder: string,
): string {
  const reasons = parts
    .filter(({ verdict }) => verdict !== 'allow')
    .map(({ what, why }) => `- ${what}: ${why}`)
  return escapeHidden(
    [`Run ${name} in ${folder}?`, JSON.stringify(args, undefined, 2), ...reasons]
      .join('\n')
      .trimEnd(),
  )
}
