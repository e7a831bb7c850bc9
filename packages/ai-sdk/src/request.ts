import type {
  LanguageModelV3CallOptions,
  LanguageModelV3FilePart,
  LanguageModelV3Message,
} from '@ai-sdk/provider'
import {
  type CallFormat,
  chooseCallFormat,
  fitTools,
  type KeptReplies,
  openerFor,
} from '@toolglot/agent/adapter/internal'
import { estimateTokens, renderChat } from '@toolglot/agent/context'
import type { ChatMessage, Message } from '@toolglot/agent'
import type { ToolChoice } from '@toolglot/agent/models'
import { type ParserOptions, type ToolDefinition, type Protocol, protocols } from '@toolglot/core'
import { args, name, wire } from '@toolglot/core/draw'
import { type BesidePart, type History, historyOf } from './history.ts'
import type { ToolglotOptions } from './toolglot.ts'

/** The options for reading a reply. */
export interface Reading {
  readonly parser: ParserOptions
  /** The given beginning of the reply. */
  readonly prefill: string
  /**
   * The protocols and tools whose marks were made inert in the prompt. Copies of such marks are
   * restored.
   */
  readonly guard: Pick<ParserOptions, 'protocols' | 'tools'>
  readonly streamArguments: boolean
  /** Return calls that may be examples. */
  readonly callsInProse: boolean
  /**
   * The store of replies in the model's own words. Undefined if the model does not see its own
   * words.
   */
  readonly kept: KeptReplies | undefined
  /** The protocol that the model is asked to use. */
  readonly protocol: string | undefined
}

/** The request to the wrapped model, and how to read the reply. */
export interface PreparedRequest {
  readonly request: LanguageModelV3CallOptions
  readonly reading: Reading
}

/**
 * Describes tools and history in the model's protocol. The rest of the request is unchanged, except
 * that a format of the reply that would rule out calls is removed. Messages are merged, so the
 * `providerOptions` of messages and text parts are dropped.
 */
export function prepareRequest(
  given: LanguageModelV3CallOptions,
  modelId: string,
  options: ToolglotOptions,
  kept: KeptReplies,
): PreparedRequest {
  const { protocol: named = 'auto', toolsIn, chatTemplate } = options
  const format = chooseCallFormat(
    { name: modelId, chatTemplate },
    named === 'auto' ? undefined : named,
    toolsIn,
  )
  const { protocol } = format
  const offered = definitionsIn(given)
  const toolChoice = choiceIn(given)
  const mayCall = offered.length > 0 && toolChoice !== 'none'
  const prefill = mayCall && options.prefill ? openerFor(toolChoice, format, offered) : undefined
  const guard = { protocols: protocol, tools: offered }
  const { repairs, startsInReasoning, prefix } = options
  const { streamArguments = false, callsInProse = false } = options
  return {
    request: requestFor(given, { format, offered, toolChoice, mayCall, prefill, kept, options }),
    reading: {
      parser: {
        ...(mayCall
          ? { ...format.parserOptions, tools: offered }
          : { protocols: withoutCalls(protocol) }),
        repairs,
        ...(prefill === undefined
          ? {
              startsInReasoning,
              prefix,
            }
          : { prefix: prefill }),
      },
      prefill: prefill ?? '',
      guard,
      streamArguments,
      callsInProse,
      kept: format.toolsIn === 'prompt' ? kept : undefined,
      protocol: protocol?.id,
    },
  }
}

interface RequestParts {
  readonly format: CallFormat
  readonly offered: readonly ToolDefinition[]
  readonly toolChoice: ToolChoice
  readonly mayCall: boolean
  readonly prefill: string | undefined
  readonly kept: KeptReplies
  readonly options: ToolglotOptions
}

function requestFor(
  given: LanguageModelV3CallOptions,
  { format, offered, toolChoice, mayCall, prefill, kept, options }: RequestParts,
): LanguageModelV3CallOptions {
  const { protocol, toolsIn } = format
  // There is nothing left to describe.
  if (offered.length === 0 && !given.prompt.some(hasTools)) return given
  const { messages: history, files, besides } = historyOf(given.prompt, kept)
  const messages = mayCall && toolChoice === 'auto' ? withFormat(history, given) : history
  const { contextTokens } = options
  const otherTokens = contextTokens === undefined ? 0 : estimateTokens(JSON.stringify(messages))
  const printedIn = toolsIn === 'prompt' ? protocol : undefined
  const rendering = {
    protocol,
    toolsIn,
    tools: fitTools(offered, { protocol: printedIn, contextTokens, otherTokens }).tools,
    toolChoice,
    roles: toolsIn === 'prompt' ? (['system'] as const) : (['system', 'tool'] as const),
    resultRole: 'user' as const,
  }
  // Many chat templates require user and assistant to alternate.
  const chat = renderChat(messages, rendering, { alternate: true })
  const merged = mergeBesides(besides, renderChat(messages, rendering))
  const prompt = promptOf(chat, { files, besides: merged })
  if (prefill !== undefined)
    prompt.push({ role: 'assistant', content: [{ type: 'text', text: prefill }] })
  const { responseFormat, ...unformatted } = given
  // A server that restricts the model to JSON rules out calls in text.
  const sent = mayCall && responseFormat?.type === 'json' ? unformatted : given
  if (toolsIn === 'request') return { ...sent, prompt }
  const { tools = [], toolChoice: _, ...others } = sent
  // Tools that the provider runs are passed on.
  const theirs = tools.filter(({ type }) => type !== 'function')
  return { ...others, prompt, ...(theirs.length > 0 && { tools: theirs }) }
}

/** The history with a description of the requested JSON, after the initial system messages. */
function withFormat(
  history: readonly Message[],
  { responseFormat: format }: LanguageModelV3CallOptions,
): readonly Message[] {
  if (format?.type !== 'json') return history
  const { schema, description } = format
  const content = [
    'Unless you call a tool, reply with JSON only: no other text, and no code fence.',
    ...(description === undefined ? [] : [`It is this: ${description}`]),
    ...(schema === undefined ? [] : [`It must match this JSON Schema:\n${JSON.stringify(schema)}`]),
  ].join('\n')
  const first = history.findIndex(({ role }) => role !== 'system')
  const start = first < 0 ? history.length : first
  return [...history.slice(0, start), { role: 'system', content }, ...history.slice(start)]
}

/** Parts of messages other than text, after consecutive messages are merged. */
function mergeBesides(
  besides: History['besides'],
  chat: readonly ChatMessage[],
): readonly (readonly BesidePart[])[] {
  const merged: BesidePart[][] = []
  let replies = 0
  let before: ChatMessage | undefined
  for (const message of chat) {
    if (message.role === 'assistant') {
      const own = besides[replies++] ?? []
      const isMerged = before?.role === 'assistant' && !before.calls && !message.calls
      if (isMerged) merged.at(-1)!.push(...own)
      else merged.push([...own])
    }
    before = message
  }
  return merged
}

function hasTools({ role, content }: LanguageModelV3CallOptions['prompt'][number]): boolean {
  if (role === 'system' || role === 'user') return false
  return role === 'tool' || content.some(({ type }) => type === 'tool-call')
}

function definitionsIn({ tools = [] }: LanguageModelV3CallOptions): readonly ToolDefinition[] {
  return tools.flatMap((tool) => {
    if (tool.type !== 'function') return []
    const { name, description, inputSchema } = tool
    // Both are JSON Schema.
    const parameters = inputSchema as NonNullable<ToolDefinition['parameters']>
    return [{ name, description, parameters }]
  })
}

function choiceIn({ toolChoice }: LanguageModelV3CallOptions): ToolChoice {
  if (toolChoice === undefined) return 'auto'
  return toolChoice.type === 'tool' ? { name: toolChoice.toolName } : toolChoice.type
}

/** Parts to restore in rendered messages. */
interface OtherParts {
  /** The files by their placeholder URLs. */
  readonly files: ReadonlyMap<string, LanguageModelV3FilePart>
  /** Parts of each assistant message other than text and calls. */
  readonly besides: readonly (readonly BesidePart[])[]
}

/**
 * Converts messages to the AI SDK's prompt. In an assistant message, reasoning precedes the text,
 * and files follow it.
 */
export function promptOf(
  messages: readonly ChatMessage[],
  { files, besides }: OtherParts,
): LanguageModelV3Message[] {
  let replies = 0
  /** The names of tools, by the ids of the calls so far. */
  const names = new Map<string, string>()
  return messages.map((message): LanguageModelV3Message => {
    if (message.role === 'system') return { role: 'system', content: message.content }
    if (message.role === 'assistant') {
      const { content, calls = [] } = message
      const others = besides[replies++] ?? []
      for (const { id, name } of calls) names.set(id, name)
      return {
        role: 'assistant',
        content: [
          ...others.filter(({ type }) => type === 'reasoning'),
          ...(content === '' && calls.length + others.length > 0
            ? []
            : [{ type: 'text' as const, text: content }]),
          ...others.filter(({ type }) => type === 'file'),
          ...calls.map(({ id, name, args }) => ({
            type: 'tool-call' as const,
            toolCallId: id,
            toolName: name,
            input: args,
          })),
        ],
      }
    }
    if (message.role === 'tool' && message.call !== undefined) {
      const { call, content: value } = message
      const output = { type: 'text' as const, value }
      const toolName = names.get(call) ?? ''
      return {
        role: 'tool',
        content: [{ type: 'tool-result', toolCallId: call, toolName, output }],
      }
    }
    const { content } = message
    if (typeof content === 'string')
      return { role: 'user', content: [{ type: 'text', text: content }] }
    return {
      role: 'user',
      content: content.map((part) => (part.type === 'text' ? part : files.get(part.url)!)),
    }
  })
}

const known = new WeakMap<Protocol, Protocol>()

/** A protocol without calls: only reasoning is parsed, and the rest is text. */
function withoutCalls(protocol: Protocol = protocols.hermes): Protocol {
  let found = known.get(protocol)
  if (!found) {
    const { section: _, variants: __, general: ___, ...others } = protocol
    known.set(protocol, (found = { ...others, call: NEVER }))
  }
  return found
}

/** A call that no model writes. */
const NEVER = wire`\0toolglot\0${name}\0${args}`
