import { usePending } from '@toolglot/react'
import { useApi } from './use-api.ts'
import type { ApiAnswer } from '@toolglot/server/client'
import type { Translate } from '../words/words.ts'

/** How often the list is asked for, in milliseconds: while a run is on its way, and otherwise. */
const SOON = 3000
const LATER = 15_000

/** The latest runs: of all folders, or of one. */
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

/** The runs that wait for a person. */
export function useWaitingRuns(): ReadonlySet<string> {
  const { pending } = usePending()
  return new Set(pending.map(({ run }) => run))
}

/** A run in a list. */
export type RunSummary = ApiAnswer<'GET /api/runs'>[number]

/** How much of a prompt is a title. */
const MAX_LENGTH = 120

type Named = Partial<Pick<RunSummary, 'name' | 'prompt'>>

/** The name of a run, or the first words of the person without the files that came with them; empty if there are none. */
export function runName({ name, prompt = '' }: Named): string {
  // The list has only the beginning of a prompt, so a file in it may have no end.
  return (name ?? prompt.split(ATTACHED, 1)[0]!).replaceAll(/\s+/g, ' ').trim()
}

const ATTACHED = /(?:^|\n\n)<file(?:-\d{1,9})? path="/

/** The title of a run where there is little room. */
export function runTitle(run: Named, t: Translate): string {
  const text = runName(run)
  if (text === '') return t('shell.untitled')
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text
}
