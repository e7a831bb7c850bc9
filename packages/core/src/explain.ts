import { collectReply } from './reply.ts'
import type { ParserOptions } from './options.ts'
import { createEngine } from './parser.ts'
import type { Protocol } from './protocol.ts'
import type { ReadFailure } from './read/failure.ts'

/** The result of reading a reply with one protocol. */
export interface Explanation {
  /** The protocol's id. */
  readonly protocol: string
  /** The number of calls it read. */
  readonly calls: number
  /** The number of blocks that began like one of its calls but could not be read. */
  readonly malformed: number
  /** The number of places where one of its calls opened. */
  readonly opened: number
  /** The furthest place where reading stopped, with the expected and the actual text. */
  readonly furthest?: { readonly at: number; readonly expected: string; readonly found: string }
}

/** Tries each protocol alone. The one that read the most is first. */
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

/** 1 if the protocol read calls without any malformed block. */
function clean({ calls, malformed }: Explanation): number {
  return calls > 0 && malformed === 0 ? 1 : 0
}

function reach({ furthest }: Explanation): number {
  return furthest?.at ?? -1
}
