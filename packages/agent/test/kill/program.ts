import type { Journal } from '../../src/journal/journal.ts'

/** Something that a process does and, killed and started again, goes on with. Its default export is one. */
export type Program = (fileSystem: KillSetting) => Promise<void>

export interface KillSetting {
  /** In it the process is killed before and after every event. */
  readonly journal: Journal
  /** Does something that can be seen from outside: a line that is on the disk. It can be killed before and after. */
  readonly effect: (line: string) => void
}

export const RUN = 'killed'
