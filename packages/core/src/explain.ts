import { collectReply } from './reply.ts'
import type { ParserOptions } from './options.ts'
import { createEngine } from './parser.ts'
import type { Protocol } from './protocol.ts'
import type { Trouble } from './read/trouble.ts'

/** How far one protocol could read a reply. */
export interface Explanation {
  readonly protocol: string
  readonly calls: number
  readonly malformed: number
  /** How often something began like one of its calls. */
  readonly opened: number
  /** Where it got furthest and could not go on: what it expected there, and what came. */
  readonly furthest?: { readonly at: number; readonly expected: string; readonly found: string }
}

/** Why was my call not understood? Each protocol by itself, the one that read most first. */
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
  let furthest: Trouble | undefined
  let opened = 0
  let last = -1
  const parser = createEngine([protocol], {
    ...options,
    onTrouble: (_, trouble) => {
      if (!furthest || trouble.at >= furthest.at) furthest = trouble
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

/** It read calls, and nothing went wrong. */
function clean({ calls, malformed }: Explanation): number {
  return calls > 0 && malformed === 0 ? 1 : 0
}

function reach({ furthest }: Explanation): number {
  return furthest?.at ?? -1
}
