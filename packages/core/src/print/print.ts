import type { Printing } from '../hole.ts'
import type { CallsHole } from '../holes/calls.ts'
import type { PrintableCall, Protocol } from '../protocol.ts'
import type { Part, Wire } from '../wire.ts'
import { writers as write } from './writers.ts'

/** What the model would write to make these calls in one turn. */
export function printCalls(protocol: Protocol, calls: readonly PrintableCall[]): string {
  const printed = calls.map((call, index) => print(protocol.call, call, { index }))
  return printAround(protocol.section, printed, protocol.separator)
}

/** Joins the printed calls or results of a turn, inside the picture that wraps them, if there is one. */
export function printAround(
  picture: Wire | undefined,
  printed: readonly string[],
  separator = '\n',
): string {
  const calls = printed.join(picture?.find(isCalls)?.separator ?? separator)
  return picture && printed.length > 0 ? print(picture, { name: '', args: {} }, { calls }) : calls
}

/** Prints a picture. */
export function print(
  picture: Wire,
  call: PrintableCall,
  what: Partial<Pick<Printing, 'calls' | 'index' | 'output' | 'entry'>> = {},
): string {
  const wire = (inside: Wire, entry: readonly [string, unknown]): string =>
    print(inside, call, { ...what, entry })
  return picture.reduceRight<string>((next, part) => {
    const printed =
      typeof part === 'string' ? part : part.print({ ...what, call, next, wire, write })
    return printed + next
  }, '')
}

function isCalls(part: Part): part is CallsHole {
  return typeof part !== 'string' && 'of' in part
}
