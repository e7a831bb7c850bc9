import { join } from 'node:path'
import type { Journal, PruneLimits } from '@toolglot/agent/journal'
import { sqliteJournal } from '@toolglot/agent/node'
import { findOwnSettings } from './settings/find-settings.ts'
import { settingValues } from './settings/keys/key.ts'
import { retention } from './settings/keys/retention.ts'
import { stateFolder } from './state-folder.ts'
import type { UserDirectories } from './user-directories.ts'

/** Opens the journal with this person's runs. It keeps them as long as the machine's or the person's settings say. */
export function openJournal(directories: UserDirectories): Journal {
  const kept = retentionOf(directories)
  const file = join(stateFolder(directories), 'journal.sqlite')
  if (kept === false) return sqliteJournal({ file })
  return sqliteJournal({
    file,
    defaultRetention: { days: 90 },
    ...(kept && { retention: kept }),
  })
}

/** How long runs are kept; `false`: forever; undefined: no settings say. */
export function retentionOf(directories: UserDirectories): PruneLimits | false | undefined {
  const files = findOwnSettings(directories)
  // Settings that cannot be understood may say to keep everything.
  if (files.some(({ problems }) => problems.length > 0)) return false
  const values = files.flatMap((file) => file.values)
  return settingValues({ values }, retention)[0]?.value
}
