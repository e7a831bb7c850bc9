import { hostname } from 'node:os'
import { postgresJournal } from '@toolglot/postgres'
import type { SharedJournal } from '@toolglot/server'
import { UserError } from '@toolglot/workspace'
import type { Terminal } from '../terminal.ts'

/** The options of commands that use a shared journal. */
export interface SharedJournalFlags {
  readonly journal?: string
  readonly machine?: string
  readonly maxRuns?: number
  readonly maxPerOwner?: number
  readonly maxPerModel?: number
}

/** The URL of the shared journal: of the command line or of the environment, which others cannot see. */
export function journalUrl(named: string | undefined, { env }: Terminal): string | undefined {
  const url = named ?? env['TOOLGLOT_JOURNAL']
  if (url === undefined || url === '') return undefined
  if (!/^postgres(?:ql)?:\/\//.test(url))
    throw new UserError('usage', {
      expected: 'the URL of a journal, such as postgres://user:password@host/database',
      got: 'something else',
      advice: 'without one, runs are recorded in a file of this user',
    })
  return url
}

/** Opens the shared journal that the command line names; undefined if it names none. Fails if it cannot be used. */
export async function openSharedJournal(
  { journal: named, machine = hostname(), maxRuns = 50, ...limits }: SharedJournalFlags,
  terminal: Terminal,
  warn: (text: string) => void,
): Promise<SharedJournal | undefined> {
  const url = journalUrl(named, terminal)
  if (url === undefined) return undefined
  const journal = postgresJournal({ url, driven: true, warn })
  const { maxPerOwner, maxPerModel } = limits
  try {
    await journal.status()
  } catch (error) {
    await journal.close()
    throw new UserError('data', (error as Error).message)
  }
  return {
    journal,
    machine,
    maxRuns,
    claim: (limit) =>
      journal.claim({
        limit,
        host: machine,
        ...(maxPerOwner !== undefined && { maxPerOwner }),
        ...(maxPerModel !== undefined && { maxPerModel }),
      }),
  }
}
