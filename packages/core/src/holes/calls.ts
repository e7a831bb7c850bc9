import type { Hole } from '../hole.ts'
import { starts } from '../read/compile.ts'
import type { Wire } from '../wire.ts'

/** The calls in a section, drawn as `of` or else as the protocol's own `call`. */
export function calls({ of, separator = '' }: { of?: Wire; separator?: string } = {}): CallsHole {
  return {
    of,
    separator,
    optional: true,
    starts: (names, call) => starts(of ?? call, names).marks,
    read: (reading) => reading.calls(of, separator, reading.stops),
    lookahead: (look, at) => look.calls(of, at),
    print: (printing) => printing.calls ?? '',
  }
}

/** The results inside the picture around all results of a turn. */
export function results(separator: string): CallsHole {
  return { ...calls({ separator }), isOutput: true }
}

/** A hole for several calls or results. */
export interface CallsHole extends Hole {
  readonly of: Wire | undefined
  readonly separator: string
}
