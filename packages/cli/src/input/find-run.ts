import type { Journal, RunSummary } from '@toolglot/agent/journal'
import { UserError } from '@toolglot/workspace'
import { quote } from '@toolglot/workspace/internal'
import { Exit } from '../exit.ts'
import { keyboardOf } from '../person/keyboard.ts'
import { pickRun } from '../person/pick-run.ts'
import type { Terminal } from '../terminal.ts'

/** The run to resume: the one that was named, or the one that a person picks. Undefined if none is wanted. */
export async function runToResume(
  journal: Journal,
  named: string | true | undefined,
  terminal: Terminal,
): Promise<RunSummary | undefined> {
  if (named === undefined) return undefined
  if (named !== true) return findRun(journal, named)
  const picked = await pickRun(journal, { keyboard: keyboardOf(terminal) })
  // They want none of them.
  if (!picked) throw new Exit(1)
  return picked
}

/** Finds a run by its id or the start of its id, by its name, or as `last`. */
export async function findRun(journal: Journal, text: string): Promise<RunSummary> {
  const found =
    text === 'last'
      ? await journal.runs({ limit: 1 })
      : (some(await journal.runs({ run: text })) ?? (await similarRuns(journal, text)))
  const [first, second] = found
  if (first && !second) return first
  throw new UserError('data', {
    expected: 'one run',
    got: second ? `${found.length} runs that match ${quote(text)}` : `no run ${quote(text)}`,
    advice: 'toolglot runs lists them',
  })
}

const MAX = 100_000

/** The runs with this name; without one, those whose id starts with it. */
async function similarRuns(journal: Journal, text: string): Promise<readonly RunSummary[]> {
  const all = await journal.runs({ search: text, limit: MAX })
  return (
    some(all.filter(({ name }) => name === text)) ??
    all.filter(({ run }) => text.length >= 4 && run.startsWith(text))
  )
}

function some<Item>(items: readonly Item[]): readonly Item[] | undefined {
  return items.length > 0 ? items : undefined
}
