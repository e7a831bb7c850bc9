import { printCall, type Protocol, parse } from '@toolglot/core'
import type { MessageCall } from '../model/chat-message.ts'
import type { CallResult } from './message.ts'

/** Shows the model how to write calls that were rejected only because of their notation. */
export function callAdvice(
  results: readonly CallResult[],
  protocol: Protocol | undefined,
): readonly string[] {
  return results.filter(({ otherProtocol }) => otherProtocol).map(({ call }) => advice(call))

  function advice({ name, args }: MessageCall): string {
    if (!protocol) return `To call ${name}, use function calling instead of text.`
    const short = shortened(args)
    const note = short === args ? '' : ' (but with the full arguments)'
    const printed = printCall(protocol, { name, args: short })
    const what = hasMarks(protocol) ? 'it' : 'only the call, with nothing before or after it,'
    return `To call ${name}, write ${what} in the ${protocol.id} format, like this${note}:\n\n${printed}`
  }
}

/** Shortens long text arguments: an example doesn't need a whole file. */
function shortened(args: MessageCall['args']): MessageCall['args'] {
  const isLong = (value: unknown): boolean => (JSON.stringify(value) ?? '').length > MAX_ARGUMENT
  if (!Object.values(args).some(isLong)) return args
  return Object.fromEntries(
    Object.entries(args).map(([key, value]) => {
      if (!isLong(value)) return [key, value]
      return [key, typeof value === 'string' ? `${value.slice(0, MAX_ARGUMENT / 2)}…` : '…']
    }),
  )
}

/** The maximum length of an argument shown in full, in characters. */
const MAX_ARGUMENT = 500

/** True if calls in this protocol are enclosed in marks. */
export function hasMarks(protocol: Protocol): boolean {
  const before = known.get(protocol)
  if (before !== undefined) return before
  const printed = printCall(protocol, EXAMPLE)
  const { calls } = parse(printed, { protocols: protocol, tools: [{ name: EXAMPLE.name }] })
  const found = !calls.some(({ markerless, otherProtocol }) => markerless && !otherProtocol)
  known.set(protocol, found)
  return found
}

const known = new WeakMap<Protocol, boolean>()

const EXAMPLE = { name: 'tool_name', args: { argument: 'value' } }
