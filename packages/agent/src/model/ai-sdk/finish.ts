import type { Finish } from '@toolglot/core'

/** How a reply ended, by the AI SDK's unified reason. A reply that did not end by itself may have been cut. */
export function finishOf(unified: unknown): Finish {
  if (unified === 'stop' || unified === 'tool-calls') return 'stop'
  return unified === 'length' ? 'length' : 'broken'
}
