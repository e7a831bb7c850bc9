import { type Journal, JournalError } from '@toolglot/agent/journal'
import { openJournal, userDirectories, UserError } from '@toolglot/workspace'
import { visibleLine } from '@toolglot/workspace/internal'
import { type Terminal, warn } from '../terminal.ts'

/** Opens the journal, and converts its errors to UserErrors. */
export async function useJournal(
  terminal: Terminal,
  work: (journal: Journal) => Promise<void>,
): Promise<void> {
  const journal = openJournal(userDirectories(terminal.env), (text) =>
    warn(visibleLine(text), terminal),
  )
  try {
    await work(journal)
  } catch (error) {
    // The run is in use, the disk is full, or the imported file is invalid.
    if (!(error instanceof JournalError || error instanceof TypeError)) throw error
    const reason = visibleLine(error.message.replace(/\.$/, ''))
    throw new UserError('data', `${reason}; nothing was changed`)
  } finally {
    await journal.close()
  }
}
