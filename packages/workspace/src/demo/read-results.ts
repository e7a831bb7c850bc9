import type { ChatMessage } from '@toolglot/agent'
import { textOf } from '@toolglot/agent/internal'
import { parse, printResults, type Protocol } from '@toolglot/core'

/** The last prompt and the results of the calls after it. */
export function readChat(
  messages: readonly ChatMessage[],
  protocol: Protocol | undefined,
): { readonly prompt: string; readonly results: readonly string[] } {
  let prompt = ''
  let results: string[] = []
  const outputs = new Map<string, string>()
  const add = (output: string, { name, args }: MadeCall): void => {
    const key = JSON.stringify([name, args])
    // Reading an unchanged file again does not return its content, so keep the first result.
    if (!/is unchanged since it was read/.test(output)) outputs.set(key, output)
    results.push(outputs.get(key) ?? output)
  }
  for (const [at, message] of messages.entries()) {
    const call = lastCallIn(messages[at - 1], protocol)
    if (message.role === 'tool' && call) add(message.content, call)
    if (message.role !== 'user') continue
    const text = textOf(message.content)
    if (call && protocol) add(outputIn(text, call.name, protocol), call)
    else [prompt, results] = [text, []]
  }
  return { prompt, results }
}

type MadeCall = { readonly name: string; readonly args: unknown }

/** The tools called by the script. Some protocols recognize calls only by the names of tools. */
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

/** The last call in a message. */
function lastCallIn(
  message: ChatMessage | undefined,
  protocol: Protocol | undefined,
): MadeCall | undefined {
  if (message?.role !== 'assistant') return undefined
  if (!protocol) return message.calls?.at(-1)
  return parse(message.content, { protocols: protocol, tools: TOOLS }).calls.at(-1)
}

/** The output in a printed result: plain text, or a JSON string. */
function outputIn(text: string, name: string, protocol: Protocol): string {
  const mark = '\ue000'
  for (const failed of [{}, { failed: true }] as const) {
    const result = { call: { id: '', name, args: {} }, output: mark, ...failed }
    const [before = '', after = ''] = printResults(protocol, [result]).split(mark)
    // Uses only the last line before the result, because an earlier line may contain an id, which
    // the script cannot predict.
    const opening = before.slice(before.lastIndexOf('\n', before.length - 2) + 1)
    const from = text.indexOf(opening) + opening.length
    if (from < opening.length || !text.endsWith(after)) continue
    const inside = text.slice(from, text.length - after.length)
    return withoutWordJoiners(
      before.endsWith('"') && after.startsWith('"') ? unescapeJson(inside) : inside,
    )
  }
  return withoutWordJoiners(text)
}

function unescapeJson(text: string): string {
  try {
    return JSON.parse(`"${text}"`) as string
  } catch {
    // The quotes are part of the text.
    return text
  }
}

/** Removes the word joiners that neutralize marks in results, because people will read the text. */
function withoutWordJoiners(text: string): string {
  return text.replaceAll('\u2060', '')
}
