import { restore, type Tool } from '@toolglot/core'
export function restoreArguments(
  args: Record<string, unknown>,
  tools: readonly Tool[],
): Record<string, unknown> {
  void restore
  void tools
  return args
}
