import type { Journal } from '../../src/journal/journal.ts'

/**
 * A program that resumes after it was killed. Each program file in this folder exports one by
 * default.
 */
export type Program = (context: ProgramContext) => Promise<void>

/** The context of a program. */
export interface ProgramContext {
  /** The journal. The process can be killed before and after each record. */
  readonly journal: Journal
  /**
   * Creates a visible effect by writing a line to the disk. The process can be killed before and
   * after.
   */
  readonly effect: (line: string) => void
}

/** The id of the run. */
export const RUN = 'killed'
