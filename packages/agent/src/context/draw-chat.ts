import { neutralise, printResults } from '@toolglot/core'
import type { ChatMessage } from '../model/chat-message.ts'
import type { ChatRendering } from './chat-rendering.ts'
import { drawAssistant } from './draw-assistant.ts'
import { withTools } from './draw-tools.ts'
import { answersTo } from './draw-native.ts'
import { foldSystem, merge } from './fold.ts'
import { Growing } from './growing.ts'
import type { Message, ResultsMessage } from './message.ts'

export interface DrawOptions {
  /** The model takes user and assistant in turns only: several messages of one role become one. */
  readonly alternate?: boolean
  /** Messages are sent as one text: what could end a turn in it is made inert in what people wrote, too. */
  readonly raw?: boolean
}

/**
 * Messages as a model is sent them. What the model wrote stays to the letter, results are made inert. A message that was
 * drawn before is drawn alike, so that what a server has read already is the same the next time; it is drawn once.
 */
export function drawChat(
  messages: readonly Message[],
  rendering: ChatRendering,
  { alternate = false, raw = false }: DrawOptions = {},
): ChatMessage[] {
  const told = withTools(messages, rendering)
  const before = histories.take(told)
  const known = before && before.made.raw === raw && isSame(before.made.rendering, rendering)
  const drawn = known ? before.made.drawn.slice() : []
  for (let i = known ? before.count : 0; i < told.length; i++) {
    for (const message of draw(told[i]!, told[i - 1], told[i + 1], rendering, raw)) {
      drawn.push(message)
    }
  }
  // What answers to the last one are missing is told only when something is said behind it.
  if (rendering.protocol || told.at(-1)?.role !== 'assistant')
    histories.keep(told, { rendering, raw, drawn })
  const folded = rendering.roles.includes('system') ? drawn : foldSystem(drawn)
  return alternate ? merge(folded) : folded
}

/** What was drawn of whole histories. */
const histories = new Growing<
  Message,
  { readonly rendering: ChatRendering; readonly raw: boolean; readonly drawn: ChatMessage[] }
>()

/** What people and files say, where it becomes part of one text with chat-template tokens: with none of its own. */
function inertText(text: string, { tools, protocol }: ChatRendering): string {
  return neutralise(text, { tools, protocols: protocol })
}

/** What a message was drawn as, and what for. */
interface Drawing {
  readonly rendering: ChatRendering
  readonly raw: boolean
  /** Only function calling looks at the messages around. */
  readonly before: Message | undefined
  readonly isAnswered: boolean
  readonly drawn: readonly ChatMessage[]
}

const drawings = new WeakMap<Message, Drawing>()

function draw(
  message: Message,
  before: Message | undefined,
  behind: Message | undefined,
  rendering: ChatRendering,
  raw: boolean,
): readonly ChatMessage[] {
  const isText = rendering.protocol !== undefined
  const asked = isText ? undefined : before
  const isAnswered = isText || behind?.role === 'results'
  const known = drawings.get(message)
  if (
    known &&
    isSame(known.rendering, rendering) &&
    known.raw === raw &&
    known.before === asked &&
    known.isAnswered === isAnswered
  )
    return known.drawn
  const drawn = drawAnew(message, asked, isAnswered, rendering, raw)
  drawings.set(message, { rendering, raw, before: asked, isAnswered, drawn })
  return drawn
}

function isSame(one: ChatRendering, other: ChatRendering): boolean {
  return (
    one === other ||
    (one.protocol === other.protocol &&
      one.tools === other.tools &&
      one.resultRole === other.resultRole &&
      one.roles.length === other.roles.length &&
      one.roles.every((role) => other.roles.includes(role)))
  )
}

function drawAnew(
  message: Message,
  before: Message | undefined,
  isAnswered: boolean,
  rendering: ChatRendering,
  raw: boolean,
): readonly ChatMessage[] {
  switch (message.role) {
    case 'system':
      return [{ role: 'system', content: message.content }]
    case 'user':
      return [
        { role: 'user', content: raw ? inertText(message.content, rendering) : message.content },
      ]
    case 'assistant': {
      const own = drawAssistant(message, rendering)
      const missing = isAnswered ? [] : answersTo(message, undefined, rendering)
      return [own, ...missing]
    }
    case 'results':
      return rendering.protocol
        ? drawResults(message, rendering)
        : answersTo(before?.role === 'assistant' ? before : undefined, message, rendering)
  }
}

function drawResults(
  { results, notes = [] }: ResultsMessage,
  { protocol, tools, resultRole, roles }: ChatRendering,
): ChatMessage[] {
  const printed = results.length > 0 ? [printResults(protocol!, results, { tools })] : []
  const content = [...printed, ...notes].join('\n\n')
  if (content === '') return []
  const isTold = resultRole !== 'user' && roles.includes(resultRole)
  const isTool = isTold && resultRole === 'tool' && results.length > 0
  return [
    { role: isTool ? 'tool' : isTold && resultRole === 'system' ? 'system' : 'user', content },
  ]
}
