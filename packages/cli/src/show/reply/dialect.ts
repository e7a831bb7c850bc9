import { type Call, type ProtocolId, protocols } from '@toolglot/core'
import { hasMarks, isWrittenAsAsked } from '@toolglot/agent/internal'

/**
 * A phrase about a call that was not written in the format of the selected protocol; undefined if
 * it was. `text` is the text before it, and `format` the id of the protocol; undefined for native
 * function calling.
 */
export function describeDialect(
  call: Call,
  text: string,
  format: string | undefined,
): string | undefined {
  const isKnown = format !== undefined && Object.hasOwn(protocols, format)
  const protocol = isKnown ? protocols[format as ProtocolId] : undefined
  if (isWrittenAsAsked(call, text, protocol)) return undefined
  const { name, fenced, otherProtocol } = call
  const isOnlyBare = !fenced && !otherProtocol && call.protocol === format
  // Calls in a user's own protocol may have no marks.
  if (isOnlyBare && !protocol) return undefined
  if (isOnlyBare && protocol && !hasMarks(protocol))
    return `read a call of ${name} that was written after text, not as the whole reply`
  const expected = format === undefined ? 'by function calling' : `in the ${format} format`
  return `read a call of ${name} that was written ${dialectOf(call)}, not ${expected}`
}

function dialectOf({ raw, fenced, protocol }: Call): string {
  const text = raw.trimStart()
  if (fenced || text.startsWith('```') || text.startsWith('~~~')) return 'in a code fence'
  if (/^(?:\{|\[\s*\{)/.test(text.slice(0, 100))) return 'as bare JSON'
  if (/^\**(?:Action|Tool)\b/.test(text)) return 'with labels such as Action:'
  return Object.hasOwn(protocols, protocol) ? `in the ${protocol} format` : 'in another format'
}
