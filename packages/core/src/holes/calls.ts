import type { Hole } from '../hole.ts'
import { starts } from '../read/compile.ts'
import type { Wire } from '../wire.ts'

/** Where the calls stand inside a section: the protocol's own picture of a call, or another. */
export function calls({ of, separator = '' }: { of?: Wire; separator?: string } = {}): CallsHole {
  return {
    of,
    separator,
    optional: true,
    starts: (names, call) => starts(of ?? call, names).marks,
    read: (reading) => reading.calls(of, separator, reading.stops),
    print: (printing) => printing.calls ?? '',
  }
}

/** Where the results stand inside what wraps all of a turn's. */
export function results(separator: string): CallsHole {
  return { ...calls({ separator }), isOutput: true }
}

export interface CallsHole extends Hole {
  readonly of: Wire | undefined
  readonly separator: string
}
