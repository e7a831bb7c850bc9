import type { JournalRecord } from '@toolglot/agent/journal'
import { openJournal, openWorkspace } from '@toolglot/workspace'
import type { ApiClient } from './api-client.ts'

/** Adds runs with these names to the journal of a server. Those named `imported…` are imported. */
export async function addRuns(
  { home, folder }: Pick<ApiClient, 'home' | 'folder'>,
  runs: Readonly<Record<string, readonly JournalRecord[]>>,
): Promise<void> {
  const { directories } = await openWorkspace(folder, { env: { HOME: home } })
  const journal = openJournal(directories)
  for (const [run, records] of Object.entries(runs))
    await journal.add({ run, records, imported: run.startsWith('imported') })
  await journal.close()
}
