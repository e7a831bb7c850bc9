import type { ToolCall } from '@toolglot/agent'
import type { Decision } from '@toolglot/permissions'
import { escapeHidden } from './escape-hidden.ts'

/** The approval question for a call: all of its arguments, and why it needs approval. */
export function approvalQuestion(
  { name, args }: ToolCall,
  { parts, unprinted }: Decision,
  folder: string,
): string {
  const reasons = parts
    .filter(({ verdict }) => verdict !== 'allow')
    // On one line each: no text of the model or name of a file can pass for another part.
    .map(({ what, why }) => `- ${what}: ${why}`.replaceAll('\n', String.raw`\n`))
  const notice = unprinted === undefined ? [] : [`Runs as written: ${unprinted}`]
  return escapeHidden(
    [`Run ${name} in ${folder}?`, JSON.stringify(args, undefined, 2), ...reasons, ...notice]
      .join('\n')
      .trimEnd(),
  )
}
