import { lineEndBefore } from '../result/cut-result.ts'
import type { CallResult, Message } from './message.ts'

/** The messages with those results that are chosen cut to their beginning. Messages that stay the same are the same. */
export function elide(
  messages: readonly Message[],
  longest: number,
  isChosen: (message: Message, at: number) => boolean,
): readonly Message[] {
  return messages.map((message, at) => {
    if (message.role !== 'results' || !isChosen(message, at)) return message
    const results = message.results.map((result) => elideResult(result, longest))
    return results.some((result, i) => result !== message.results[i])
      ? { ...message, results }
      : message
  })
}

function elideResult(result: CallResult, longest: number): CallResult {
  const { call, output } = result
  const end = lineEndBefore(output, Math.min(longest, output.length))
  const notice = `\n[The rest was left out to make room. ReadMore with ${JSON.stringify({ call: call.id, offset: end })} shows it.]`
  // What would not be shorter stays.
  if (output.length <= end + notice.length) return result
  return { ...result, output: output.slice(0, end) + notice }
}
