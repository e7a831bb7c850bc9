import { textOf } from '../model/content.ts'
import type { CallResult, Message } from './message.ts'
import { isSummary } from './summary.ts'

/** The texts of a message that may come from somebody else: results, what notes quote, and summaries of them. */
export function untrustedTexts(message: Message): readonly string[] {
  if (message.role === 'results') {
    const { results, notes = [] } = message
    return [...results.filter(isUntrusted).flatMap(shownTexts), ...notes]
  }
  return message.role === 'user' && isSummary(message) ? [textOf(message.content)] : []
}

function shownTexts({ output, data }: CallResult): readonly string[] {
  const json = data === undefined ? output : JSON.stringify(data)
  return json === output ? [output] : [output, json]
}

/** Problems with a call only quote the call itself, and a repeated result was there before. */
function isUntrusted({ status, repeats, invalid }: CallResult): boolean {
  return !invalid && repeats === undefined && (status === undefined || !OWN.has(status))
}

/** How calls end whose text is ours. */
const OWN: ReadonlySet<CallResult['status']> = new Set([
  'denied',
  'duplicate',
  'cut_off',
  'not_run',
])
