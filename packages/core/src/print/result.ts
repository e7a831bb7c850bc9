import type { PrintableCall, Protocol } from '../protocol.ts'
import { closingOf, wiresOf } from '../read/grammar.ts'
import { starts } from '../read/compile.ts'
import { type Neutraliser, neutraliser } from './neutralise.ts'
import type { Wire } from '../wire.ts'
import { print, printAround } from './print.ts'

/** What a tool gave, to be told to the model. */
export interface Result {
  /** The call it answers. */
  readonly call: Pick<PrintableCall, 'name'> & Partial<PrintableCall>
  /** Text, or any value that JSON can hold. */
  readonly output: unknown
  /** The tool failed: `output` says why. */
  readonly failed?: boolean
  /** The call itself was wrong: the model is asked to write it again. */
  readonly invalid?: boolean
}

/**
 * The results of a turn as the model is told of them. Output is not to be trusted: marks of any of the protocols in it are
 * made inert, so that it can neither close its wrapper nor be taken for a call. `restore` undoes that.
 */
export function printResultsAgainst(
  protocols: readonly Protocol[],
  protocol: Protocol,
  results: readonly Result[],
): string {
  const { neutralise } = guardOf(protocols)
  const printed = results.map((result, index) => printOne(protocol, result, index, neutralise))
  return printAround(protocol.results, printed)
}

function printOne(
  protocol: Protocol,
  { call, output, failed = false, invalid = false }: Result,
  index: number,
  neutralise: (text: string) => string,
): string {
  const picture = (invalid ? protocol.error : undefined) ?? protocol.result
  const named = {
    args: {},
    ...call,
    name: neutralise(call.name),
    ...(call.id !== undefined && { id: neutralise(call.id) }),
  }
  return print(picture, named, {
    index,
    output: { output: throughout(output, neutralise), failed: failed || invalid },
  })
}

const guards = new WeakMap<readonly Protocol[], Neutraliser>()

/** Makes the marks of these protocols inert, and undoes it. */
export function guardOf(protocols: readonly Protocol[]): Neutraliser {
  let guard = guards.get(protocols)
  if (!guard) {
    guard = neutraliser(protocols.flatMap(marksOf))
    guards.set(protocols, guard)
  }
  return guard
}

/** Every mark that opens or closes something, but words that any text may hold. */
function marksOf(protocol: Protocol): { mark: string; anyCase: boolean }[] {
  const { call, section, variants = [], reasoning, answer, ignore = [] } = protocol
  const { result, results, error } = protocol
  const pictures = [call, section, ...variants, result, results, error].filter(
    (wire) => wire !== undefined,
  )
  const regions = [...wiresOf(reasoning), ...wiresOf(answer)]
  const marks = [...pictures, ...regions, ...ignore].flatMap((wire) =>
    typeof wire === 'string'
      ? [wire]
      : [...starts(wire, [], []).marks, closingOf(wire) ?? '', ...endsOfOutput(wire)],
  )
  return marks
    .filter((mark) => mark.length > 1 && !COMMON.test(mark))
    .map((mark) => ({ mark, anyCase: protocol.anyCase ?? false }))
}

/** Words, and a few signs without any: every text holds them. */
const COMMON = /^(?:[a-z ]+[=(]?|[^\p{L}]{1,3})$/iu

/** What stands behind a tool's output in a picture of a result: output must not hold it. */
function endsOfOutput(wire: Wire): string[] {
  const output = wire.findIndex((part) => typeof part !== 'string' && part.isOutput)
  return output < 0 ? [] : starts(wire.slice(output + 1)).marks
}

/** Change every string in a value, keys too. */
function throughout(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => throughout(item, change))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, item]) => [
    change(key),
    throughout(item, change),
  ])
  return Object.fromEntries(entries) as unknown
}
