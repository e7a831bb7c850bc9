import { type Fields, invalid } from './expect.ts'
import type { GatewayRequest } from './request.ts'

/**
 * The treatment of a parameter. `pass`: it is sent to the model. `emulate`: the gateway implements
 * it. `ignore`: it has no effect that a client could notice. `drop`: it is omitted, and the
 * response reports that. `refuse`: the request fails, because the answer would be wrong without it.
 */
export type Treatment = 'pass' | 'emulate' | 'ignore' | 'drop' | 'refuse'

/** A parameter of an API, and its reader. */
export interface Parameter<Draft> {
  readonly name: string
  readonly treatment: Treatment
  /** A note for users about the effect, or about an alternative. */
  readonly note?: string
  /**
   * Adds the parameter to the request. Not called for null, which means that the parameter is
   * missing.
   */
  readonly read?: (value: unknown, draft: Draft, body: Fields) => void
}

/** Reads every parameter of a body. Unknown ones are omitted and noted. */
export function readParameters<Draft extends { readonly notes: string[] }>(
  body: Fields,
  parameters: readonly Parameter<Draft>[],
  draft: Draft,
): void {
  for (const { name, treatment, read } of parameters) {
    const value = Object.hasOwn(body, name) ? (body[name] ?? undefined) : undefined
    if (value === undefined) continue
    read?.(value, draft, body)
    if (treatment === 'drop' && !isOff(value)) draft.notes.push(droppedNote(name))
  }
  const unknown = Object.keys(body).filter((key) => parameters.every(({ name }) => name !== key))
  for (const key of unknown.slice(0, MAX_NOTES)) draft.notes.push(droppedNote(key))
}

/**
 * The note about an omitted parameter. The name may come from the client, and notes are sent in a
 * header.
 */
export function droppedNote(name: string): string {
  return `dropped:${/^[\w.-]{1,40}$/.test(name) ? name : 'unknown'}`
}

/** True if the value only turns the parameter off. */
function isOff(value: unknown): boolean {
  return value === false || (Array.isArray(value) && value.length === 0)
}

const MAX_NOTES = 20

/** A request of any API while its parameters are read. */
export interface RequestDraft {
  model?: string
  conversation: GatewayRequest['conversation']
  tools: GatewayRequest['tools']
  options: { -readonly [Key in keyof GatewayRequest['options']]: GatewayRequest['options'][Key] }
  stream: boolean
  streamArguments?: boolean
  readonly notes: string[]
}

/** An empty draft. */
export function emptyDraft(): RequestDraft {
  return { conversation: [], tools: [], options: {}, stream: false, notes: [] }
}

/**
 * Builds the request after every parameter was read. `conversationIn` is the parameter with the
 * conversation.
 */
export function requestOf(
  { model, conversation, tools, options, stream, streamArguments, notes }: RequestDraft,
  conversationIn: string,
): GatewayRequest {
  if (model === undefined) throw invalid('model', 'the name of a model', model)
  if (conversation.every(({ role }) => role === 'system'))
    throw invalid(conversationIn, 'a list that includes a user message', conversation)
  return {
    model,
    conversation,
    conversationIn,
    tools,
    options,
    stream,
    streamArguments,
    notes,
  }
}
