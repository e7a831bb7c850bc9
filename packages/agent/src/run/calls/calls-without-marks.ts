import { parse, printCall, type Protocol } from '@toolglot/core'
import type { Turn } from '../turn/recorded-turn.ts'

/**
 * The turn as permissions see it. In some protocols, calls have no marks: there, a call without marks that is the whole reply
 * is as certain as one with marks in others. `text` is the text besides calls and reasoning.
 */
export function trustCallsWithoutMarks(
  turn: Turn,
  text: string,
  protocol: Protocol | undefined,
): Turn {
  if (!protocol || text.trim() !== '' || hasMarks(protocol)) return turn
  const segments = turn.segments.map((segment) => {
    if (segment.type !== 'call' || segment.call.protocol !== protocol.id) return segment
    const { markerless: _, ...call } = segment.call
    return { ...segment, call }
  })
  return { ...turn, segments }
}

const known = new WeakMap<Protocol, boolean>()

/** Whether calls in this protocol, as it asks for them, have marks. */
function hasMarks(protocol: Protocol): boolean {
  const before = known.get(protocol)
  if (before !== undefined) return before
  const printed = printCall(protocol, EXAMPLE)
  const { calls } = parse(printed, { protocols: protocol, tools: [{ name: EXAMPLE.name }] })
  const found = !calls.some(({ markerless, otherProtocol }) => markerless && !otherProtocol)
  known.set(protocol, found)
  return found
}

const EXAMPLE = { name: 'tool_name', args: { argument: 'value' } }
