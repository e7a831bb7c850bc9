import type { Tool } from './tool.ts'

/** What the model reads of a result. */
export function shownResult(
  tool: Pick<Tool, 'show'>,
  result: unknown,
  args: Record<string, unknown>,
): string {
  return tool.show?.(result, args) ?? asText(result)
}

function asText(result: unknown): string {
  return typeof result === 'string' ? result : (JSON.stringify(result) ?? '')
}
