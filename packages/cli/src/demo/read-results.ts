import type { ChatMessage } from '@toolglot/agent'
import { parse, printResults, type Protocol } from '@toolglot/core'

/** The last thing that a person said, and what tools gave since. */
export function readChat(
  messages: readonly ChatMessage[],
  protocol: Protocol | undefined,
): { readonly prompt: string; readonly results: readonly string[] } {
  let prompt = ''
  let results: string[] = []
  const gave = new Map<string, string>()
  const add = (output: string, { name, args }: MadeCall): void => {
    const key = JSON.stringify([name, args])
    // A file that was read before is not shown again.
    if (!/is unchanged since it was read/.test(output)) gave.set(key, output)
    results.push(gave.get(key) ?? output)
  }
  for (const [at, message] of messages.entries()) {
    const call = lastCallIn(messages[at - 1], protocol)
    if (message.role === 'tool' && call) add(message.content, call)
    if (message.role !== 'user') continue
    if (call && protocol) add(outputIn(message.content, call.name, protocol), call)
    else [prompt, results] = [message.content, []]
  }
  return { prompt, results }
}

type MadeCall = { readonly name: string; readonly args: unknown }

/** What it calls: some protocols tell calls only by the names of tools. */
export const TOOLS: readonly { readonly name: string }[] = [
  'Read',
  'Write',
  'Edit',
  'Glob',
  'Grep',
  'Bash',
  'AskUserQuestion',
  'TodoWrite',
].map((name) => ({ name }))

/** The call that a message made last. */
function lastCallIn(
  message: ChatMessage | undefined,
  protocol: Protocol | undefined,
): MadeCall | undefined {
  if (message?.role !== 'assistant') return undefined
  if (!protocol) return message.calls?.at(-1)
  return parse(message.content, { protocols: protocol, tools: TOOLS }).calls.at(-1)
}

/** What stands in the picture of a result: as it is, or in a JSON string. */
function outputIn(text: string, name: string, protocol: Protocol): string {
  const mark = '\ue000'
  for (const failed of [{}, { failed: true }] as const) {
    const result = { call: { id: '', name, args: {} }, output: mark, ...failed }
    const [before = '', behind = ''] = printResults(protocol, [result]).split(mark)
    // Only the last line before it: above there may be an id, which the script does not know.
    const opening = before.slice(before.lastIndexOf('\n', before.length - 2) + 1)
    const from = text.indexOf(opening) + opening.length
    if (from < opening.length || !text.endsWith(behind)) continue
    const inside = text.slice(from, text.length - behind.length)
    return withoutWordJoiners(
      before.endsWith('"') && behind.startsWith('"') ? unescapeJson(inside) : inside,
    )
  }
  return withoutWordJoiners(text)
}

function unescapeJson(text: string): string {
  try {
    return JSON.parse(`"${text}"`) as string
  } catch {
    // The quotes belong to the text.
    return text
  }
}

/** Without what makes marks in results inert: people read it. */
function withoutWordJoiners(text: string): string {
  return text.replaceAll('\u2060', '')
}
