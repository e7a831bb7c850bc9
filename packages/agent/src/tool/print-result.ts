import { serialise, type Serialised } from '../result/serialise.ts'
import type { Tool } from './tool.ts'

/** What the model reads of a result: what the tool makes of it, else what it is as text. */
export async function printResult(
  tool: Pick<Tool, 'show'>,
  result: unknown,
  args: Record<string, unknown>,
  signal: AbortSignal,
): Promise<Serialised> {
  const text = tool.show?.(result, args)
  return serialise(text ?? result, MAX_TAKEN, { signal })
}

/** What is taken of a result, in characters; less is kept, and the model is told less at once. */
const MAX_TAKEN = 4 << 20
