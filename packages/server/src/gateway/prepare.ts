import type { Message } from '@toolglot/agent'
import {
  type CallFormat,
  chooseCallFormat,
  fitTools,
  type KeptReplies,
} from '@toolglot/agent/adapter/internal'
import { estimateTokens } from '@toolglot/agent/context'
import { textOf } from '@toolglot/agent/internal'
import type { ToolDefinition } from '@toolglot/core'
import type { InputEstimate } from './api.ts'
import { messagesOf } from './conversation.ts'
import { GatewayError } from './gateway-error.ts'
import { unknownModel } from './list-models.ts'
import { helpFor, MIN_LEVELS, withExamples } from './model-help.ts'
import type { GatewayModel, GatewayModels } from './models.ts'
import type { ConversationItem, GatewayRequest } from './request.ts'
import type { RequestRecord } from './request-record.ts'
import type { ToolLists } from './tool-lists.ts'

/** A request, and what its model is asked. */
export interface Prepared {
  readonly request: GatewayRequest
  readonly target: GatewayModel
  readonly format: CallFormat
  readonly messages: readonly Message[]
  /** The tools as the client describes them. */
  readonly offered: readonly ToolDefinition[]
  /** The same tools as they are described to the model. */
  readonly tools: readonly ToolDefinition[]
  readonly estimate: InputEstimate
}

/** What requests are prepared with. */
export interface Preparing {
  readonly models: GatewayModels
  readonly kept: KeptReplies
  readonly toolLists: ToolLists
  readonly owner: string
  /** The client's User-Agent. */
  readonly userAgent: string | null
  readonly signal: AbortSignal
  readonly record: RequestRecord
}

/** Finds the model, and makes what it is asked. Throws a GatewayError if that is impossible. */
export async function prepare(
  request: GatewayRequest,
  { models, kept, toolLists, owner, userAgent, signal, record }: Preparing,
): Promise<Prepared> {
  const target = await models.find(request.model, signal)
  if (!target) throw unknownModel(request.model)
  const { model, protocol, toolsIn } = target
  const format = chooseCallFormat(model, protocol, toolsIn)
  record.began(target, format)
  const images = model.images === true
  const help = helpFor(target, userAgent)
  const sent = messagesOf(request.conversation, { kept, owner, images, note: record.note })
  const offered = toolLists.definitions(request.tools)
  const messages = help.examples > 0 ? withExamples(sent, offered, help.examples) : sent
  const { contextTokens } = model
  const otherTokens = contextTokens === undefined ? 0 : tokensOf(request.conversation)
  const printedIn = format.toolsIn === 'prompt' ? format.protocol : undefined
  const minLevel = MIN_LEVELS[help.describeTools]
  const { tools, level, tokens } = fitTools(offered, {
    protocol: printedIn,
    contextTokens,
    otherTokens,
    minLevel,
  })
  if (level > 0 && tools.length > 0) record.note('tools-compact')
  if (contextTokens !== undefined && tokens + otherTokens > contextTokens) {
    const counted = await countTokens(
      target,
      { tokens, conversation: request.conversation },
      signal,
    )
    const all = counted ?? tokens + otherTokens
    if (all > contextTokens) throw tooLong(all, contextTokens)
  }
  const estimate = (): number => tokens + (otherTokens || tokensOf(request.conversation))
  const options = { ...request.options, ...(help.oneCall && { stopAtFirstCall: true }) }
  return { request: { ...request, options }, target, format, messages, offered, tools, estimate }
}

/** How many tokens a conversation has as the model's own tokenizer counts, with `tokens` more; undefined if it has none. */
async function countTokens(
  { model }: GatewayModel,
  { tokens, conversation }: { tokens: number; conversation: readonly ConversationItem[] },
  signal: AbortSignal,
): Promise<number | undefined> {
  const { text, images } = textIn(conversation)
  try {
    const counted = await model.countTokens?.(text, signal)
    return counted === undefined ? undefined : counted + tokens + images * IMAGE_TOKENS
  } catch {
    // It cannot count after all, or not now.
    return undefined
  }
}

/** About how many tokens a conversation has. */
function tokensOf(conversation: readonly ConversationItem[]): number {
  const { text, images } = textIn(conversation)
  return estimateTokens(text) + images * IMAGE_TOKENS
}

function textIn(items: readonly ConversationItem[]): { text: string; images: number } {
  let images = 0
  const texts = items.map((item) => {
    if (item.role === 'result') {
      images += item.images?.length ?? 0
      return item.output
    }
    const { content } = item
    if (item.role === 'assistant') return `${item.content}${JSON.stringify(item.calls)}`
    if (typeof content === 'string') return content
    images += content.filter(({ type }) => type === 'image').length
    return textOf(content)
  })
  return { text: texts.join('\n'), images }
}

const IMAGE_TOKENS = 1000

function tooLong(tokens: number, contextTokens: number): GatewayError {
  const message = `The messages and tools have about ${tokens} tokens, but the context window of the model has ${contextTokens}: shorten them.`
  return new GatewayError(400, 'context_length_exceeded', message, {
    parameter: 'messages',
    summary: message,
  })
}
