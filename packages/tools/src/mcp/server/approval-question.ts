import type { ToolCall } from '@toolglot/agent'
import { type Decision, describeCode } from '@toolglot/permissions'
import { escapeHidden } from './escape-hidden.ts'

/** The approval question for a call: all of its arguments, and why it needs approval. */
export function approvalQuestion(
  { name, args }: ToolCall,
  { parts, unprinted, code }: Decision,
  folder: string,
): string {
  const reasons = parts
    .filter(({ verdict }) => verdict !== 'allow')
    // On one line each: no text of the model or name of a file can pass for another part.
    .map(({ what, why }) => onOneLine(`- ${what}: ${why}`))
  const notice = unprinted === undefined ? [] : [`Runs as written: ${unprinted}`]
  notice.push(...describeCode(code).map(onOneLine))
  return escapeHidden(
    [`Run ${name} in ${folder}?`, JSON.stringify(args, undefined, 2), ...reasons, ...notice]
      .join('\n')
      .trimEnd(),
  )
}

const onOneLine = (text: string): string => text.replaceAll('\n', String.raw`\n`)
