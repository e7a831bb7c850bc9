import type { Call, Protocol } from '@toolglot/core'
import { isWrittenOtherwise } from '@toolglot/permissions/internal'
import { hasMarks } from '../../context/call-advice.ts'
import type { Turn } from '../turn/recorded-turn.ts'

/**
 * Adjusts the trust in a turn's calls before deciding on them. `text` is the text besides calls and
 * reasoning.
 */
export function trustCallsWithoutMarks(
  turn: Turn,
  text: string,
  protocol: Protocol | undefined,
): Turn {
  const segments = turn.segments.map((segment) =>
    segment.type === 'call'
      ? { ...segment, call: trustCallWithoutMarks(segment.call, text, protocol) }
      : segment,
  )
  return { ...turn, segments }
}

/**
 * Adjusts the trust in a call before deciding on it. In a protocol without marks, a call that makes
 * up the whole reply is as certain as a marked call. `text` is the text besides calls and
 * reasoning.
 */
function trustCallWithoutMarks<Each extends Pick<Call, 'protocol' | 'markerless'>>(
  call: Each,
  text: string,
  protocol: Protocol | undefined,
): Omit<Each, 'markerless'> & Pick<Call, 'markerless'> {
  if (!call.markerless || call.protocol !== protocol?.id) return call
  if (text.trim() !== '' || hasMarks(protocol)) return call
  const { markerless: _, ...trusted } = call
  return trusted
}

/**
 * True if a call was written in the selected protocol's own notation. `text` is the text besides
 * calls and reasoning.
 */
export function isWrittenAsAsked(
  call: Pick<Call, 'protocol' | 'markerless' | 'fenced' | 'otherProtocol'>,
  text: string,
  protocol: Protocol | undefined,
): boolean {
  return !isWrittenOtherwise(trustCallWithoutMarks(call, text, protocol))
}
