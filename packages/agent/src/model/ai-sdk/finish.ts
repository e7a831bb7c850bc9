import type { Finish } from '@toolglot/core'

/**
 * Converts the AI SDK's unified finish reason. A reply stopped for any other reason may be
 * incomplete.
 */
export function finishOf(unified: unknown): Finish {
  if (unified === 'stop' || unified === 'tool-calls') return 'stop'
  return unified === 'length' ? 'length' : 'broken'
}
