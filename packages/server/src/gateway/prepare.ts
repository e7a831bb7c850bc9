import type { Message } from '@toolglot/agent'
import {
  type CallFormat,
  chooseCallFormat,
  fitTools,
  type KeptReplies,
  yieldToOthers,
} from '@toolglot/agent/adapter/internal'
import { estimateTokens } from '@toolglot/agent/context'
import { textOf, withoutUndefined } from '@toolglot/agent/internal'
import type { ToolDefinition } from '@toolglot/core'
import type { InputEstimate } from './api.ts'
import { messagesOf } from './conversation.ts'
import { contextOverflow } from './model-problem.ts'
import { unknownModel, type GatewayModel, type GatewayModels, type ModelHelp } from './models.ts'
import type { ConversationItem, GatewayRequest } from './request.ts'
import type { RequestRecord } from './request-record.ts'
import type { ToolLists } from './offered-tool.ts'

/** The minimum compactness of tools. */
const MIN_LEVELS = { whole: 0, brief: 1, minimal: 2 } as const

/** The maximum size of a small model, in billions of parameters. */
const SMALL = 14

const EXAMPLES: ReadonlyMap<unknown, unknown> = new Map<unknown, unknown>([
  ['integer', 1],
  ['number', 1],
  ['boolean', true],
  ['array', []],
  ['object', {}],
])

/** A client's request, and the request for the model. */
export interface Prepared {
  readonly request: GatewayRequest
  readonly target: GatewayModel
  readonly format: CallFormat
  readonly messages: readonly Message[]
  /** The tools as the client describes them. */
  readonly offered: readonly ToolDefinition[]
  /** The tools in the form described to the model. */
  readonly tools: readonly ToolDefinition[]
  readonly estimate: InputEstimate
}

/** The settings for preparing requests. */
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

/** Finds the model and builds its request. Throws a GatewayError if that is impossible. */
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
  await yieldToOthers()
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
  await yieldToOthers()
  if (level > 0 && tools.length > 0) record.note('tools-compact')
  const estimate = (): number => tokens + (otherTokens || tokensOf(request.conversation))
  const options = { ...request.options, ...(help.oneCall && { stopAtFirstCall: true }) }
  return { request: { ...request, options }, target, format, messages, offered, tools, estimate }
}

/**
 * Throws a GatewayError if a request exceeds the model's context window, counted by the model's own
 * tokenizer if it has one.
 */
export async function checkContext(prepared: Prepared, signal: AbortSignal): Promise<void> {
  const { contextTokens } = prepared.target.model
  if (contextTokens === undefined || prepared.estimate() <= contextTokens) return
  const tokens = (await countTokens(prepared, signal)) ?? prepared.estimate()
  if (tokens > contextTokens) throw contextOverflow({ ...prepared, estimate: () => tokens })
}

/**
 * The number of tokens in the tools and the conversation; undefined if the model cannot count them.
 */
async function countTokens(
  { target: { model }, request: { conversation }, estimate }: Prepared,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { text, images } = textIn(conversation)
  try {
    const counted = await model.countTokens?.(text, signal)
    if (counted === undefined) return undefined
    const inTools = estimate() - tokensOf(conversation)
    return counted + inTools + images * IMAGE_TOKENS
  } catch {
    // Counting is not available, or not at the moment.
    return undefined
  }
}

/** The approximate number of tokens in a conversation. */
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

/** The help for a model with this client, from its settings or its name. */
export function helpFor(target: GatewayModel, userAgent: string | null): Required<ModelHelp> {
  const { describeTools, oneCall = false, examples = 0, clients = {}, model } = target
  const [client = ''] = (userAgent ?? '').split(/[/ ]/, 1)
  const usual = isSmall(model.name) ? 'brief' : 'whole'
  return {
    describeTools: describeTools ?? usual,
    oneCall,
    examples,
    ...(Object.hasOwn(clients, client) && withoutUndefined(clients[client]!)),
  }
}

/** True if the model's name indicates few parameters, such as `qwen3:8b`. */
function isSmall(name: string): boolean {
  const [, billions] = /(?:^|[^a-z0-9.])(\d{1,3}(?:\.\d{1,2})?)b(?![a-z0-9])/i.exec(name) ?? []
  return billions !== undefined && Number(billions) <= SMALL
}

/** Adds example calls after the instructions of a conversation, one for each of the first tools. */
function withExamples(
  messages: readonly Message[],
  tools: readonly ToolDefinition[],
  count: number,
): readonly Message[] {
  const start = messages.findIndex(({ role }) => role !== 'system')
  const shown = tools.slice(0, count).flatMap((tool, at): readonly Message[] => {
    const { name } = tool
    const call = { id: `example${at + 1}`, name, args: exampleArguments(tool) }
    return [
      { role: 'user', content: `An example, before we begin: call ${name}.` },
      { role: 'assistant', content: '', calls: [call] },
      { role: 'results', results: [{ call, output: '(What the tool returned.)' }] },
      { role: 'assistant', content: 'That was the example. What is the task?' },
    ]
  })
  return [...messages.slice(0, start), ...shown, ...messages.slice(start)]
}

/** Arguments with a value of the right type for each required parameter. */
function exampleArguments({ parameters = {} }: ToolDefinition): Record<string, unknown> {
  const { required, properties } = parameters as {
    required?: readonly string[]
    properties?: Readonly<Record<string, { readonly type?: unknown; readonly enum?: unknown }>>
  }
  const names = Array.isArray(required) ? (required as readonly string[]) : []
  return Object.fromEntries(
    names.map((name) => {
      const schema = properties && Object.hasOwn(properties, name) ? properties[name] : undefined
      const [choice] = Array.isArray(schema?.enum) ? (schema.enum as readonly unknown[]) : []
      return [name, choice ?? EXAMPLES.get(schema?.type) ?? 'example']
    }),
  )
}
