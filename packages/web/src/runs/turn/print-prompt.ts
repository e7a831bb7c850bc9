import type { ApiAnswer } from '@toolglot/server/client'
import type { Mark } from '../../ui/editor/marks.ts'

/** What a model was sent. */
export type SentPrompt = NonNullable<ApiAnswer<'GET /api/runs/:run/turns/:turn'>['prompt']>

/** A prompt as one text, with where our own words in it are. */
export interface PrintedPrompt {
  readonly text: string
  /** The lines that say whose message comes next. They were not sent. */
  readonly marks: readonly Mark[]
}

/** Prints a prompt: each message exactly as it was sent, below a line with its role. */
export function printPrompt({ messages, tools }: SentPrompt): PrintedPrompt {
  const marks: Mark[] = []
  let text = ''
  const add = (head: string, body: string): void => {
    if (text !== '') text += '\n\n'
    marks.push({ from: text.length, to: text.length + head.length, className: 'role' })
    text += `${head}\n${body}`
  }
  for (const { role, content, ...others } of messages) {
    const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : content
    const body = parts.map(printPart).join('\n')
    const rest = Object.entries(others).filter(([, value]) => value !== undefined)
    const more = rest.length === 0 ? '' : JSON.stringify(Object.fromEntries(rest), null, 2)
    add(role, body !== '' && more !== '' ? `${body}\n${more}` : body + more)
  }
  if (tools.length > 0) add('tools', tools.map((tool) => JSON.stringify(tool)).join('\n'))
  return { text, marks }
}

/** An image as its beginning: nobody reads the rest. */
const MAX_OTHER = 200

function printPart(part: { readonly type: string }): string {
  const fields = part as { readonly type: string; readonly text?: unknown }
  if (fields.type === 'text' && typeof fields.text === 'string') return fields.text
  const text = JSON.stringify(part)
  return text.length > MAX_OTHER ? `${text.slice(0, MAX_OTHER)}…` : text
}
