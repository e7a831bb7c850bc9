import type { ToolDefinition } from '@toolglot/core'
import type { ChatShape } from './chat-template.ts'
import { strftime } from './globals.ts'

/** A message to be rendered with a chat template. */
export interface ChatMessageInput {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly content: string
  /** The assistant's reasoning before the content. */
  readonly reasoning?: string
  readonly calls?: readonly ChatCallInput[]
  /** The id of the call that this message answers. */
  readonly call?: string
  /** The name of the tool that returned this result. */
  readonly name?: string
}

interface ChatCallInput {
  readonly id: string
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
}

export function callOf(id: string, name: string, args: ChatCallInput['args']): ChatCallInput {
  return { id, name, args }
}

/** The variables of a template apart from the conversation. */
export interface ChatVariables {
  readonly bosToken?: string | undefined
  readonly eosToken?: string | undefined
  /** The date to print. Default: now. */
  readonly date?: Date | undefined
  /** Additional variables, by the names used in the template. */
  readonly more?: Readonly<Record<string, unknown>> | undefined
}

/** The variables of a template, under all names used by known templates. */
export function variablesOf(
  chat: {
    readonly messages: readonly object[]
    readonly tools: readonly ToolDefinition[]
    readonly thinking: boolean
  },
  { noTools }: Pick<ChatShape, 'noTools'>,
  { bosToken = '', eosToken = '', date = new Date(), more }: ChatVariables,
): Record<string, unknown> {
  const { messages, tools, thinking } = chat
  const wrapped = tools.map((tool) => ({ type: 'function', function: tool }))
  return {
    messages,
    ...(tools.length > 0 ? { tools: wrapped } : NO_TOOLS[noTools]),
    // The name that FireFunction uses, with the tools as text.
    functions: tools.length > 0 ? JSON.stringify(wrapped, undefined, 4) : '',
    add_generation_prompt: true,
    enable_thinking: thinking,
    bos_token: bosToken,
    eos_token: eosToken,
    // The names that Llama and FireFunction use for the date.
    date_string: strftime('%d %b %Y', date),
    datetime: strftime('%b %d %Y', date),
    ...more,
  }
}

const NO_TOOLS = { none: { tools: null }, empty: { tools: [] }, missing: {} }

/** Converts messages to the form that a template requires. */
export function messagesFor(messages: readonly ChatMessageInput[], shape: ChatShape): object[] {
  let input = shape.system ? messages : withoutSystem(messages)
  if (shape.parallel === 'refuses') input = oneCallEach(input)
  if (shape.alternates) input = alternating(input)
  const ids = new Map<string, string>()
  const idOf = (id: string): string => {
    if (!shape.shortIds) return id
    const known =
      ids.get(id) ??
      (/^[a-zA-Z0-9]{9}$/.test(id) ? id : `call${String(ids.size + 1).padStart(5, '0')}`)
    ids.set(id, known)
    return known
  }
  const names = new Map(
    messages.flatMap(({ calls = [] }) => calls.map(({ id, name }) => [id, name] as const)),
  )
  const nameOf = ({ call, name }: ChatMessageInput): string | undefined =>
    name ?? (call === undefined ? undefined : names.get(call))
  const made: Record<string, unknown>[] = []
  for (const message of input) {
    const name = nameOf(message)
    const last = made.at(-1)
    if (message.role === 'tool' && shape.results === 'responses' && last?.['tool_calls']) {
      const responses = (last['tool_responses'] ??= []) as object[]
      responses.push({ name, response: jsonOr(message.content) })
      continue
    }
    if (
      message.role === 'assistant' &&
      last?.['tool_responses'] &&
      last['content'] === '' &&
      !message.calls?.length
    ) {
      last['content'] = message.content
      continue
    }
    made.push({
      role: message.role,
      content: contentOf(message, shape),
      ...reasoningOf(message, shape),
      ...(message.calls?.length && {
        tool_calls: message.calls.map(({ id, name: called, args }) => ({
          id: idOf(id),
          type: 'function',
          function: {
            name: called,
            arguments: shape.arguments === 'text' ? JSON.stringify(args) : args,
          },
        })),
      }),
      ...(message.call !== undefined && { tool_call_id: idOf(message.call) }),
      ...(name !== undefined && { name }),
    })
  }
  return made
}

function contentOf({ content, reasoning }: ChatMessageInput, shape: ChatShape): unknown {
  const text = [{ type: 'text', text: content }]
  if (reasoning !== undefined && shape.reasoning === 'parts')
    return [{ type: 'thinking', thinking: reasoning }, ...(content === '' ? [] : text)]
  return shape.content === 'parts' ? text : content
}

function reasoningOf({ reasoning }: ChatMessageInput, shape: ChatShape): object {
  if (reasoning === undefined || shape.reasoning === 'parts') return {}
  return { [shape.reasoning]: reasoning }
}

/** Merges system messages into the next user message. */
function withoutSystem(messages: readonly ChatMessageInput[]): ChatMessageInput[] {
  const result: ChatMessageInput[] = []
  let pending: string[] = []
  for (const message of messages) {
    if (message.role === 'system') pending.push(message.content)
    else if (message.role === 'user' && pending.length > 0) {
      result.push({ ...message, content: [...pending, message.content].join('\n') })
      pending = []
    } else result.push(message)
  }
  return pending.length > 0 ? [...result, { role: 'user', content: pending.join('\n') }] : result
}

/** Splits messages so that each call has its own message, followed by its result. */
export function oneCallEach(messages: readonly ChatMessageInput[]): ChatMessageInput[] {
  const result: ChatMessageInput[] = []
  const moved = new Set<ChatMessageInput>()
  for (const [at, message] of messages.entries()) {
    const { calls = [] } = message
    if (calls.length < 2) {
      if (!moved.has(message)) result.push(message)
      continue
    }
    for (const [index, call] of calls.entries()) {
      const { content, reasoning, ...rest } = message
      const said =
        index === 0 ? { content, ...(reasoning !== undefined && { reasoning }) } : { content: '' }
      result.push({ ...rest, ...said, calls: [call] })
      const found = messages.slice(at + 1).find((each) => each.call === call.id && !moved.has(each))
      if (!found) continue
      moved.add(found)
      result.push(found)
    }
  }
  return result
}

/** Merges consecutive user messages, and consecutive assistant messages without calls. */
function alternating(messages: readonly ChatMessageInput[]): ChatMessageInput[] {
  const result: ChatMessageInput[] = []
  for (const message of messages) {
    const last = result.at(-1)
    const isMerged =
      last?.role === message.role &&
      (message.role === 'user' || message.role === 'assistant') &&
      !last.calls?.length &&
      !message.calls?.length
    if (isMerged)
      result[result.length - 1] = { ...last, content: `${last.content}\n\n${message.content}` }
    else result.push(message)
  }
  return result
}

/** The text parsed as JSON, or the text itself if it isn't JSON. */
function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    // The text is not JSON.
    return text
  }
}
