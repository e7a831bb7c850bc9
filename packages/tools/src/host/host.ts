// Folder: The interface to the machine.
import type { Ask } from '@toolglot/agent'
import type { FileSystemView } from '@toolglot/permissions'
import type { Files } from './files.ts'
import type { Language } from './language.ts'
import type { Processes } from './processes.ts'
import type { Search } from './search.ts'
import type { Web } from './web.ts'

/**
 * The interface between the tools and the machine they run on. Implement it to run the tools
 * elsewhere.
 */
export interface Host {
  /** The working folder and the roots of the workspace. */
  readonly fileSystem: FileSystemView
  readonly files: Files
  readonly processes: Processes
  readonly search: Search
  /** Undefined if there is no user to ask. */
  readonly ask?: Ask
  readonly web: Web
  /** Undefined if there are no language servers. */
  readonly language?: Language
  /** The storage of todos, logs and checkpoints. */
  readonly storage: Storage
  /** Stops all tasks that are still running. */
  close(): Promise<void>
}

/** A private folder for data that outlives a call. */
export interface Storage {
  /** Absolute path of an existing folder that no other user can read. */
  readonly folder: string
}
