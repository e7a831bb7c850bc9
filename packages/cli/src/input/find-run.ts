import { notFound } from '@toolglot/permissions/errors/internal'
import type { Journal, RunSummary, PendingRequest } from '@toolglot/agent/journal'
import { UserError } from '@toolglot/workspace'
import { quote } from '@toolglot/workspace/internal'
import { Exit } from '../exit.ts'
import { keyboardOf } from '../person/keyboard.ts'
import { pickRun } from '../person/pick.ts'
import type { Terminal } from '../terminal.ts'

/**
 * The run to resume: the run on the command line, or the run that the user picks. Undefined if none
 * is requested.
 */
export async function runToResume(
  journal: Journal,
  named: string | true | undefined,
  terminal: Terminal,
): Promise<RunSummary | undefined> {
  if (named === undefined) return undefined
  if (named !== true) return findRun(journal, named)
  const picked = await pickRun(journal, { keyboard: keyboardOf(terminal) })
  // The user picked none of them.
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
  const advice = 'List runs with: toolglot runs'
  throw new UserError(
    'data',
    second
      ? `${found.length} runs match ${quote(text)}. ${advice}`
      : notFound('run', quote(text), advice),
  )
}

const MAX = 100_000

/** The runs with this name or, if none match, those whose id starts with it. */
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

/**
 * A pending request of a run. Its number is its position among all requests of the run, so a number
 * never refers to a different request.
 */
export type NumberedRequest = PendingRequest & { readonly number: number }

/** The pending requests of all runs, or of one, the oldest first. */
export async function requestsOf(
  journal: Pick<Journal, 'waiting' | 'read'>,
  run?: string,
): Promise<readonly NumberedRequest[]> {
  const pending = await journal.waiting(run === undefined ? {} : { run })
  const asked = new Map<string, readonly string[]>()
  for (const id of new Set(pending.map((request) => request.run))) {
    const records = await journal.read(id)
    asked.set(
      id,
      records.filter(({ kind }) => kind === 'wait').map(({ key }) => key),
    )
  }
  return pending.map((request) => ({
    ...request,
    number: asked.get(request.run)!.indexOf(request.key) + 1,
  }))
}

/**
 * Finds a request of a run by its number, its key or the start of its key. Without a search string,
 * finds the only request.
 */
export function findRequest(
  run: string,
  requests: readonly NumberedRequest[],
  text: string | undefined,
): NumberedRequest {
  const found =
    text === undefined
      ? requests
      : requests.filter(({ number, key }) =>
          /^\d+$/.test(text) ? number === Number(text) : text !== '' && key.startsWith(text),
        )
  const [first, second] = found
  if (first && !second) return first
  if (requests.length === 0) {
    throw new UserError(
      'data',
      `${run} isn't waiting for an answer, so nothing was changed. List the runs that are with: toolglot runs waiting`,
    )
  }
  const problem =
    text === undefined
      ? `Choose one of ${numbersOf(found)}`
      : second
        ? `${quote(text)} can mean any of ${numbersOf(found)}`
        : `${run} isn't waiting for ${quote(text)}, but for ${numbersOf(requests)}`
  throw new UserError(
    'data',
    `${problem}; nothing was changed. To see them, run: toolglot runs waiting ${run}`,
  )
}

function numbersOf(requests: readonly NumberedRequest[]): string {
  return requests.map(({ number }) => number).join(', ')
}
