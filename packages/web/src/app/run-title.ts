import type { ApiAnswer } from '@toolglot/server/client'
import type { Translate } from '../words/words.ts'

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

/** What a run is called where there is little room. */
export function runTitle(run: Named, t: Translate): string {
  const text = runName(run)
  if (text === '') return t('shell.untitled')
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text
}
