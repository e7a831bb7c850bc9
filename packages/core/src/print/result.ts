import type { PrintableCall, Protocol } from '../protocol.ts'
import { mapTexts } from './restorer.ts'
import type { Neutralizer } from './neutralize.ts'
import { outputOf } from './output.ts'
import { print, printAround } from './print.ts'

/** A tool's output to show to the model. */
export interface Result {
  /** The call that produced it. */
  readonly call: Pick<PrintableCall, 'name'> & Partial<PrintableCall>
  /** Text or any JSON value. */
  readonly output: unknown
  /** True if the tool failed. `output` explains why. */
  readonly failed?: boolean
  /** True if the call itself was invalid, so the model is asked to write it again. */
  readonly invalid?: boolean
}

/**
 * Prints the results of a turn. Output is untrusted, so its marks are made inert with `neutralize`.
 */
export function printGuarded(
  protocol: Protocol,
  results: readonly Result[],
  { neutralize }: Neutralizer,
): string {
  const printed = results.map((result, index) => printOne(protocol, result, index, neutralize))
  return printAround(protocol.results, printed)
}

function printOne(
  protocol: Protocol,
  { call, output, failed = false, invalid = false }: Result,
  index: number,
  neutralize: (text: string) => string,
): string {
  const { result, error = result } = protocol
  const hidden = failed && !result.some((part) => typeof part !== 'string' && part.showsFailure)
  const picture = invalid || hidden ? error : result
  const named = {
    args: {},
    ...call,
    name: neutralize(call.name),
    ...(call.id !== undefined && { id: neutralize(call.id) }),
  }
  return print(picture, named, {
    index,
    output: outputOf(mapTexts(output, neutralize), failed || invalid),
  })
}
