import { join } from 'node:path'
import type { Journal } from '@toolglot/agent/journal'
import { sqliteJournal } from '@toolglot/agent/node'
import { stateFolder } from './state-folder.ts'
import type { UserDirectories } from './user-directories.ts'

/** Opens the journal with this person's runs. */
export function openJournal(directories: UserDirectories): Journal {
  return sqliteJournal({ file: join(stateFolder(directories), 'journal.sqlite') })
}
