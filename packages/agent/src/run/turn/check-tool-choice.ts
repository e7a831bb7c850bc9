import type { ToolDefinition } from '@toolglot/core'
import type { ToolChoice } from '../../model/model.ts'

/** Throws if a tool must be called that is not offered. */
export function checkToolChoice(
  choice: ToolChoice | undefined,
  tools: readonly ToolDefinition[],
): void {
  if (choice === undefined || choice === 'auto' || choice === 'none') return
  const names = tools.map(({ name }) => name)
  if (names.length === 0)
    throw new TypeError('Expected tools, because toolChoice demands a call, got none.')
  if (choice !== 'required' && !names.includes(choice.name))
    throw new TypeError(
      `Expected toolChoice to name one of ${names.join(', ')}, got ${JSON.stringify(choice.name)}.`,
    )
}
