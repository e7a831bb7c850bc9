import type { RunCall, Usage } from '@toolglot/agent'
import { type AnswerEnd, extensionOf } from '../answer-event.ts'
import type { ApiError } from '../api.ts'
import type { Block } from '../blocks.ts'
import type { Fields } from '../expect.ts'
import type { ConversationItem } from '../request.ts'
import type { OutputItem, Namespaces } from './history.ts'

/** The fields of an answer other than the model's text. */
export interface ResponseAnswer {
  readonly id: string
  readonly created: number
  /** The parameters of the request that responses repeat. */
  readonly echo: Fields
  /** The names of the tools whose input is text. */
  readonly custom: ReadonlySet<string>
  readonly namespaces: Namespaces
  /** Stores the response. Returns false if it cannot be stored. */
  readonly keep: (id: string, output: readonly OutputItem[]) => boolean
}

/** The state of a response. */
export type ResponseState =
  | { readonly status: 'in_progress' }
  | { readonly status: 'failed'; readonly error: ApiError }
  | { readonly status: 'completed' | 'incomplete'; readonly usage: Usage; readonly isKept: boolean }

/** The part of a request that its response repeats. */
export function echoOf(body: Fields): Fields {
  return Object.fromEntries(
    Object.entries(DEFAULTS).map(([name, value]) => [name, body[name] ?? value]),
  )
}

const DEFAULTS = {
  model: '',
  instructions: null,
  max_output_tokens: null,
  max_tool_calls: null,
  metadata: {},
  parallel_tool_calls: true,
  previous_response_id: null,
  reasoning: { effort: null, summary: null },
  store: true,
  temperature: 1,
  text: { format: { type: 'text' } },
  tool_choice: 'auto',
  tools: [],
  top_p: 1,
  truncation: 'disabled',
  user: null,
}

/** A response as an object. */
export function responseObject(
  { id, created, echo }: ResponseAnswer,
  state: ResponseState,
  output: readonly object[],
): object {
  const { status } = state
  const isOver = 'usage' in state
  return {
    id,
    object: 'response',
    created_at: created,
    status,
    background: false,
    ...echo,
    ...(isOver && !state.isKept && { store: false }),
    error: 'error' in state ? { code: state.error.code, message: state.error.message } : null,
    incomplete_details: status === 'incomplete' ? { reason: 'max_output_tokens' } : null,
    output,
    usage: isOver ? usageOf(state.usage) : null,
  }
}

/** The status of a response: `incomplete` if the reply was cut off. */
export function statusOf({ reason }: AnswerEnd): 'completed' | 'incomplete' {
  return reason === 'length' ? 'incomplete' : 'completed'
}

/** A new id for the item of a block. */
export function itemId(kind: Block['kind'], isCustom = false): string {
  const prefix = { text: 'msg', reasoning: 'rs', call: isCustom ? 'ctc' : 'fc' }[kind]
  return `${prefix}_${crypto.randomUUID().replaceAll('-', '')}`
}

/** A message item with its text so far. */
export function messageItem(id: string, status: string, text?: string): object {
  const content = text === undefined ? [] : [textPart(text)]
  return { type: 'message', id, status, role: 'assistant', content }
}

export function textPart(text: string): object {
  return { type: 'output_text', text, annotations: [], logprobs: [] }
}

export function reasoningItem(id: string, text?: string): object {
  return { type: 'reasoning', id, summary: text === undefined ? [] : [summaryPart(text)] }
}

export function summaryPart(text: string): object {
  return { type: 'summary_text', text }
}

/** A function call with its arguments so far. */
export function functionItem(
  id: string,
  { id: callId, name }: Pick<RunCall, 'id' | 'name'>,
  { namespaces }: ResponseAnswer,
  { args, status }: { readonly args: string; readonly status: string },
): object {
  const own = namespaces.get(name) ?? { name }
  return { type: 'function_call', id, call_id: callId, ...own, arguments: args, status }
}

/** A call of a custom tool, whose input is text. Its arguments match the schema. */
export function customItem(
  id: string,
  { id: callId, name }: Pick<RunCall, 'id' | 'name'>,
  { namespaces }: ResponseAnswer,
  { input, status }: { readonly input: string; readonly status: string },
): object {
  const own = namespaces.get(name) ?? { name }
  return { type: 'custom_tool_call', id, call_id: callId, ...own, input, status }
}

/** The item of a complete block. */
export function itemOf(
  id: string,
  block: Block,
  answer: ResponseAnswer,
  status: 'completed' | 'incomplete' = 'completed',
): object {
  if (block.kind === 'text') return messageItem(id, status, block.text)
  if (block.kind === 'reasoning') return reasoningItem(id, block.text)
  const { call, json } = block
  const item = answer.custom.has(call.name)
    ? customItem(id, call, answer, { input: inputOf(call), status: 'completed' })
    : functionItem(id, call, answer, { args: json, status: 'completed' })
  return { ...item, ...extensionOf(call) }
}

export function inputOf({ args: { input } }: RunCall): string {
  return typeof input === 'string' ? input : ''
}

/** The stored form of a block, for later requests that refer to it. */
export function outputItem(id: string, block: Block): OutputItem {
  return { id, item: conversationItem(block) }
}

function conversationItem(block: Block): ConversationItem | undefined {
  if (block.kind === 'reasoning') return undefined
  if (block.kind === 'text') return { role: 'assistant', content: block.text, calls: [] }
  const { id, name, args } = block.call
  return { role: 'assistant', content: '', calls: [{ id, name, args }] }
}

function usageOf({ input, output, cached = 0, reasoning = 0 }: Usage): object {
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  }
}
