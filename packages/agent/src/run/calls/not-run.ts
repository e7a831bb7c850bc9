import type { ToolOutcome } from './tool-outcome.ts'

/** The outcome of all calls of a turn from one on: there were too many, or none may run. Recorded once for all of them. */
export interface NotRun extends Pick<ToolOutcome, 'status' | 'text'> {
  /** The index of the first of these calls. */
  readonly from: number
}
