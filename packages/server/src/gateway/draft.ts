import { invalid } from './expect.ts'
import type { GatewayRequest } from './request.ts'

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
