import { parse, printCall, type Protocol } from '@toolglot/core'

/** Whether calls in this protocol, as it asks for them, have marks. */
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
