import { serialize, type Serialized } from '../result/serialize.ts'
import type { Tool } from './tool.ts'

/** Prints a result for the model: with the tool's own `show`, otherwise as text or JSON. */
export async function printResult(
  tool: Pick<Tool, 'show'>,
  result: unknown,
  args: Record<string, unknown>,
  signal: AbortSignal,
): Promise<Serialized> {
  const text = tool.show?.(result, args)
  return serialize(text ?? result, MAX_READ, { signal })
}

/** How much of a result is read, in characters. Less of it is recorded, and less is shown at once. */
const MAX_READ = 4 << 20
