import { join } from 'node:path'
import type { Journal, PruneLimits } from '@toolglot/agent/journal'
import { sqliteJournal } from '@toolglot/agent/node'
import { findOwnSettings } from './settings/find-settings.ts'
import { settingValues } from './settings/keys/key.ts'
import { retention as retentionKey } from './settings/keys/retention.ts'
import { stateFolder } from './state-folder.ts'
import type { UserDirectories } from './user-directories.ts'

/**
 * Opens the journal with the user's runs. The machine's or the user's settings determine how long
 * runs are kept. `warn` is called with messages for the user, for example if a journal of another
 * version was moved aside.
 */
export function openJournal(
  directories: UserDirectories,
  warn: (message: string) => void = () => {},
): Journal {
  const retention = retentionOf(directories) ?? { days: 90 }
  const file = join(stateFolder(directories), 'journal.sqlite')
  return sqliteJournal({ file, warn, retention: retention || undefined })
}

/** The limits for keeping runs. `false` means forever; undefined if no setting exists. */
export function retentionOf(directories: UserDirectories): PruneLimits | false | undefined {
  const files = findOwnSettings(directories)
  // The invalid settings might have specified that all runs be kept.
  if (files.some(({ problems }) => problems.length > 0)) return false
  const values = files.flatMap((file) => file.values)
  return settingValues({ values }, retentionKey)[0]?.value
}
