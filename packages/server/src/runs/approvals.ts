import type { Journal } from '@toolglot/agent/journal'
import type { Executions } from './executions.ts'

/** What waits for a person. */
export interface Approvals {
  close(): void
}

/** Creates the approvals of a server. */
export function createApprovals(
  _journal: Journal,
  _executions: Executions,
  _onError: (error: unknown) => void,
): Approvals {
  return { close() {} }
}
