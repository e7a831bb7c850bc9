import type { Folders } from './folders.ts'

/** The calls that are executed without a run. */
export interface Executions {
  close(): Promise<void>
}

/** Creates the executions of a server. */
export function createExecutions(_: Folders): Executions {
  return { async close() {} }
}
