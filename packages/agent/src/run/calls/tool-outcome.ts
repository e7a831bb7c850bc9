import type { ToolFailure } from '../../tool/tool-error.ts'

/** What became of a call, as it is recorded: plain data. */
export interface ToolOutcome {
  /** `cancelled`: it was not begun, or it only reads. `unknown`: it was begun, and it is not known how it ended. */
  readonly status: 'success' | 'error' | 'denied' | 'cancelled' | 'timeout' | 'unknown'
  /** What it gave, as text. */
  readonly text: string
  readonly failure?: ToolFailure
  /** What a program may want of the result; left out where it is large or no plain data. */
  readonly data?: unknown
  /** In milliseconds. */
  readonly duration: number
  /** `text` is not all of it; its whole length, where that is known. */
  readonly truncated?: true
  readonly size?: number
}
