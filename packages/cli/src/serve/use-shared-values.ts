import type { SharedValues } from '@toolglot/agent/journal/internal'
import { UserError } from '@toolglot/workspace'
import { visibleLine } from '@toolglot/workspace/internal'
import type { Terminal } from '../terminal.ts'
import { journalUrl } from './shared-journal.ts'

/**
 * Applies an operation to the values shared by servers, if the command line or the environment
 * contains a shared journal.
 */
export async function useSharedValues<Result>(
  named: string | undefined,
  terminal: Terminal,
  work: (values: SharedValues | undefined) => Promise<Result>,
): Promise<Result> {
  const url = journalUrl(named, terminal)
  if (url === undefined) return work(undefined)
  // Imported here so that it is loaded only if needed.
  const { postgresJournal } = await import('@toolglot/postgres')
  const journal = postgresJournal({ url })
  try {
    return await work(journal.values)
  } catch (error) {
    if ((error as Error).name !== 'JournalError') throw error
    throw new UserError('data', visibleLine((error as Error).message))
  } finally {
    await journal.close()
  }
}
