import { explain, type Explanation } from '@toolglot/core'
import { bestKnownFirst } from './best-known-first.ts'
import { excerptAt, lineAt } from './excerpt-at.ts'
import type { Reason, ReadOptions } from './messages.ts'
import { comparedProtocols, parserOptions } from './parser-options.ts'
import type { Pause } from './read-reply.ts'

/** How many protocols are named. */
const MAX_NAMED = 3

/** Finds out which protocols saw a call begin in a reply without calls. */
export async function openedCalls(
  text: string,
  options: ReadOptions,
  pause: Pause,
): Promise<readonly Explanation[]> {
  const opened: Explanation[] = []
  for (const [name, protocol] of comparedProtocols(options)) {
    const [explanation] = explain(text, { ...parserOptions(options), protocols: [protocol] })
    if (explanation && explanation.opened > 0 && explanation.furthest)
      opened.push({ ...explanation, protocol: name })
    await pause()
  }
  return opened
}

/** Where the furthest of them stopped; the chosen one comes first. */
export function reasonOf(
  text: string,
  { protocol: chosen }: ReadOptions,
  opened: readonly Explanation[],
): Reason {
  const isChosen = ({ protocol }: Explanation): number => Number(protocol === chosen)
  const sorted = opened.toSorted(
    (a, b) =>
      isChosen(b) - isChosen(a) ||
      b.furthest!.at - a.furthest!.at ||
      bestKnownFirst(a.protocol, b.protocol),
  )
  return {
    furthest: sorted.slice(0, MAX_NAMED).map(({ protocol, furthest }) => ({
      protocol,
      expected: furthest!.expected,
      place: excerptAt(text, furthest!.at, lineAt(text, furthest!.at)),
    })),
  }
}
