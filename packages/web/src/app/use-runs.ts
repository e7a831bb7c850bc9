import { usePending } from '@toolglot/react'
import { useApi } from './use-api.ts'
import type { ApiAnswer } from '@toolglot/server/client'
import type { Translate } from '../words/words.ts'

/** The intervals for requesting the list, in milliseconds: while a run is active, and otherwise. */
const SOON = 3000
const LATER = 15_000

/** The latest runs of all folders or of one. */
export function useRecentRuns(folder?: string): readonly RunSummary[] | undefined {
  const query = { limit: 30, folder }
  return useApi(
    'GET /api/runs',
    { query },
    { refetchInterval: (last) => (last?.some(isOnItsWay) ? SOON : LATER) },
  ).data
}

function isOnItsWay({ state }: RunSummary): boolean {
  return state === 'running' || state === 'waiting'
}

/** The runs that wait for the user. */
export function useWaitingRuns(): ReadonlySet<string> {
  const { pending } = usePending()
  return new Set(pending.map(({ run }) => run))
}

/** A run in a list. */
export type RunSummary = ApiAnswer<'GET /api/runs'>[number]

/** The maximum length of a title. */
const MAX_LENGTH = 120

type Named = Partial<Pick<RunSummary, 'name' | 'prompt'>>

/**
 * The name of a run, or the beginning of its prompt without attached files; empty if it has
 * neither.
 */
export function runName({ name, prompt = '' }: Named): string {
  // The list contains only the start of a prompt, so an attached file may be cut off.
  return (name ?? prompt.split(ATTACHED, 1)[0]!).replaceAll(/\s+/g, ' ').trim()
}

const ATTACHED = /(?:^|\n\n)<file(?:-\d{1,9})? path="/

/** A short title of a run. */
export function runTitle(run: Named, t: Translate): string {
  const text = runName(run)
  if (text === '') return t('shell.untitled')
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text
}
