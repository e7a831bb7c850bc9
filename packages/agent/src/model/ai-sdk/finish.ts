import type { Finish } from '@toolglot/core'

/** Converts the AI SDK's unified finish reason. A reply that did not end by itself may have been cut off. */
export function finishOf(unified: unknown): Finish {
  if (unified === 'stop' || unified === 'tool-calls') return 'stop'
  return unified === 'length' ? 'length' : 'broken'
}
