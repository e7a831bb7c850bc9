import type { Journal } from '../../src/journal/journal.ts'

/** A program that resumes after it was killed. Files in this folder export one by default. */
export type Program = (context: ProgramContext) => Promise<void>

/** What a program works with. */
export interface ProgramContext {
  /** The process can be killed before and after everything it records. */
  readonly journal: Journal
  /** Does something visible from outside: writes a line to the disk. The process can be killed before and after. */
  readonly effect: (line: string) => void
}

/** The id of the run. */
export const RUN = 'killed'
