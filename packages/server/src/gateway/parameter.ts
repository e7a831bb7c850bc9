import { type Fields, invalid } from './expect.ts'
import type { GatewayRequest } from './request.ts'

/**
 * The treatment of a parameter. `pass`: the model gets it. `emulate`: the gateway does what it says. `ignore`: it changes nothing
 * that a client could miss. `drop`: it is left out, and the response says so. `refuse`: the request fails, because it would be
 * answered wrongly without it.
 */
export type Treatment = 'pass' | 'emulate' | 'ignore' | 'drop' | 'refuse'

/** One parameter of an API, and how it is read. */
export interface Parameter<Draft> {
  readonly name: string
  readonly treatment: Treatment
  /** For people: what is done, or what to do instead. */
  readonly note?: string
  /** Adds it to the request. Not called for null, which means that the parameter is not there. */
  readonly read?: (value: unknown, draft: Draft, body: Fields) => void
}

/** Reads every parameter of a body. Unknown ones are left out, and noted. */
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

/** The note for something that is left out. Its name may be the client's, and notes become a header. */
export function droppedNote(name: string): string {
  return `dropped:${/^[\w.-]{1,40}$/.test(name) ? name : 'unknown'}`
}

/** Whether a parameter only says that something is not wanted. */
function isOff(value: unknown): boolean {
  return value === false || (Array.isArray(value) && value.length === 0)
}

const MAX_NOTES = 20

/** A request while its parameters are read, whichever API it is of. */
export interface RequestDraft {
  model?: string
  conversation: GatewayRequest['conversation']
  tools: GatewayRequest['tools']
  options: { -readonly [Key in keyof GatewayRequest['options']]: GatewayRequest['options'][Key] }
  stream: boolean
  streamArguments?: boolean
  readonly notes: string[]
}

/** A draft of which nothing was read yet. */
export function emptyDraft(): RequestDraft {
  return { conversation: [], tools: [], options: {}, stream: false, notes: [] }
}

/** The request, once every parameter was read. `conversationIn` is the parameter with the conversation. */
export function requestOf(
  { model, conversation, tools, options, stream, streamArguments, notes }: RequestDraft,
  conversationIn: string,
): GatewayRequest {
  if (model === undefined) throw invalid('model', 'the name of a model', model)
  if (conversation.every(({ role }) => role === 'system'))
    throw invalid(conversationIn, 'a list with a message of the user', conversation)
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
