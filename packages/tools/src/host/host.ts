import type { Ask } from '@toolglot/agent'
import type { FileSystemView } from '@toolglot/permissions'
import type { Files } from './files.ts'
import type { Language } from './language.ts'
import type { Processes } from './processes.ts'
import type { Search } from './search.ts'
import type { Storage } from './storage.ts'
import type { Web } from './web.ts'

/** The only way of the tools to the world. A platform is one file that implements it. */
export interface Host {
  /** Where calls start, and what belongs to the workspace. */
  readonly fileSystem: FileSystemView
  readonly files: Files
  readonly processes: Processes
  readonly search: Search
  /** Undefined: there is nobody to ask. */
  readonly ask?: Ask
  readonly web: Web
  /** Undefined: there are no language servers. */
  readonly language?: Language
  /** What outlives a call: todos, logs, checkpoints. */
  readonly storage: Storage
  /** Stops everything that still runs. */
  close(): Promise<void>
}
