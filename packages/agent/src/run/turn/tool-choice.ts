import type { Call, ToolDefinition } from '@toolglot/core'
import type { ToolChoice } from '../../model/model.ts'

/** Throws if a tool must be called that is not offered. */
export function checkToolChoice(
  choice: ToolChoice | undefined,
  tools: readonly ToolDefinition[],
): void {
  if (choice === undefined || choice === 'auto' || choice === 'none') return
  const names = tools.map(({ name }) => name)
  if (names.length === 0) throw new TypeError('toolChoice requires a call, but there are no tools.')
  if (choice !== 'required' && !names.includes(choice.name))
    throw new TypeError(
      `toolChoice requires ${JSON.stringify(choice.name)}, which isn't one of the tools: ${names.join(', ')}.`,
    )
}

/** Describes how a reply differs from the tool choice. Calls in text cannot be enforced. */
export function missedChoice(
  choice: ToolChoice | undefined,
  calls: readonly Pick<Call, 'name'>[],
): string | undefined {
  if (choice === undefined || choice === 'auto') return undefined
  if (choice === 'none')
    return calls.length > 0 ? 'called a tool, although it must not.' : undefined
  if (calls.length === 0) return 'called no tool, although it must.'
  return choice === 'required' || calls.some(({ name }) => name === choice.name)
    ? undefined
    : `did not call ${choice.name}, although it must.`
}
