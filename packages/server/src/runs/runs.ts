import type { Journal } from '@toolglot/agent/journal'
import type { Folders } from './folders.ts'

/** The runs that this server executes. */
export interface Runs {
  /** Continues the runs that this server was executing when it stopped. */
  resumeInterrupted(): Promise<void>
  /** Releases every run, so that it can be continued later. */
  close(): Promise<void>
}

/** What runs need. */
export interface RunsOptions {
  readonly journal: Journal
  readonly folders: Folders
  readonly onError: (error: unknown) => void
}

/** Creates the runs of a server. */
export function createRuns(_: RunsOptions): Runs {
  return { async resumeInterrupted() {}, async close() {} }
}
