import type { Journal, PendingRequest } from '@toolglot/agent/journal'
import { UserError } from '@toolglot/workspace'
import { quote } from '@toolglot/workspace/internal'

/** Something that a run waits for. Its number counts what the run has asked so far, so it never means anything else. */
export type NumberedRequest = PendingRequest & { readonly number: number }

/** What runs wait for, the longest wait first: all of them, or one. */
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

/** Finds a request of a run by its number, its key or the start of its key; without a text, the only one there is. */
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
    throw new UserError('data', {
      expected: 'a run that waits for an answer',
      got: `${run}, which waits for nothing`,
      advice: 'toolglot runs waiting lists what waits; nothing was changed',
    })
  }
  const asked = text === undefined ? 'no number' : quote(text)
  throw new UserError('data', {
    expected: `the number of something that ${run} waits for`,
    got: second
      ? `${asked}, which can mean any of ${numbersOf(found)}`
      : `${asked}, which does not wait`,
    advice: `toolglot runs waiting ${run} lists ${numbersOf(requests)}; nothing was changed`,
  })
}

function numbersOf(requests: readonly NumberedRequest[]): string {
  return requests.map(({ number }) => number).join(', ')
}
