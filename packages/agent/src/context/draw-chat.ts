import { printPrompt, printResults } from '@toolglot/core'
import type { ChatMessage } from '../model/chat-message.ts'
import type { Dialect } from './dialect.ts'
import type { Message } from './message.ts'
export function drawChat(
  messages: readonly Message[],
  { protocol, tools, resultRole }: Dialect,
): ChatMessage[] {
  const prompt = protocol && tools.length > 0 ? printPrompt(protocol, tools) : ''
  const out: ChatMessage[] = prompt ? [{ role: 'system', content: prompt }] : []
  for (const m of messages) {
    if (m.role === 'results') {
      if (protocol) {
        const content = printResults(
          protocol,
          m.results.map((r) => ({
            call: r.call,
            output: r.output,
            ...(r.failed && { failed: true }),
            ...(r.invalid && { invalid: true }),
          })),
          { tools },
        )
        out.push({ role: resultRole, content: [content, ...(m.notes ?? [])].join('\n') })
      } else
        for (const r of m.results) out.push({ role: 'tool', content: r.output, call: r.call.id })
    } else if (m.role === 'assistant')
      out.push({
        role: 'assistant',
        content: m.content,
        ...(m.native && m.calls && { calls: m.calls }),
      })
    else out.push(m)
  }
  return out
}
