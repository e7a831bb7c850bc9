import { collectReply } from './reply.ts'
import type { ParserOptions } from './options.ts'
import { createEngine } from './parser.ts'
import type { Protocol } from './protocol.ts'
import type { ReadFailure } from './read/failure.ts'

/** How far one protocol was able to read a reply. */
export interface Explanation {
  /** Its id. */
  readonly protocol: string
  /** How many calls it read. */
  readonly calls: number
  /** How many blocks began as one of its calls and could not be read. */
  readonly malformed: number
  /** How often the opening of one of its calls occurred. */
  readonly opened: number
  /** The furthest place where it had to stop: what it expected there, and what it found. */
  readonly furthest?: { readonly at: number; readonly expected: string; readonly found: string }
}

/** Tries each protocol alone. The one that read the most comes first. */
export function explainEach(
  protocols: readonly Protocol[],
  text: string,
  options: ParserOptions,
): Explanation[] {
  return protocols
    .map((protocol) => explainOne(protocol, text, options))
    .sort(
      (a, b) =>
        clean(b) - clean(a) || b.calls - a.calls || reach(b) - reach(a) || b.opened - a.opened,
    )
}

function explainOne(protocol: Protocol, text: string, options: ParserOptions): Explanation {
  let furthest: ReadFailure | undefined
  let opened = 0
  let last = -1
  const parser = createEngine([protocol], {
    ...options,
    onFailure: (_, failure) => {
      if (!furthest || failure.at >= furthest.at) furthest = failure
    },
    onOpening: (at) => {
      if (at > last) opened++
      last = Math.max(last, at)
    },
  })
  const reply = collectReply([...parser.feed(text), ...parser.end()])
  return {
    protocol: protocol.id,
    calls: reply.calls.length,
    malformed: reply.segments.filter(({ type }) => type === 'malformed').length,
    opened,
    ...(furthest && {
      furthest: {
        at: furthest.at,
        expected: furthest.expected,
        found: text.slice(furthest.at, furthest.at + LONGEST_SHOWN),
      },
    }),
  }
}

const LONGEST_SHOWN = 40

/** 1 if it read calls and nothing went wrong. */
function clean({ calls, malformed }: Explanation): number {
  return calls > 0 && malformed === 0 ? 1 : 0
}

function reach({ furthest }: Explanation): number {
  return furthest?.at ?? -1
}
