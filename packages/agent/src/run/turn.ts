import type { Finish, Malformed, Segment, ToolDefinition, WrappedTool } from '@toolglot/core'
import { wholeTools } from '../context/fit-tools.ts'
import type { AssistantMessage, Message } from '../context/message.ts'
import { defaultLimits, type Limits } from '../limits.ts'
import type { ChatMessage, Content } from '../model/chat-message.ts'
import type { Model } from '../model/model.ts'
import type { Usage } from '../model/usage.ts'
import type { Registry } from '../registry/registry.ts'
import { registryOf } from '../registry/registry-of.ts'
import { type AnyTool, checkToolName } from '../tool/any-tool.ts'
import { mustBe } from '@toolglot/permissions/errors/internal'
import { isObject } from '../tool/json-schema.ts'
import { checkTurnOptions } from './check-options.ts'
import type { RunCall } from './event.ts'
import { EventQueue } from './loop/event-queue.ts'
import { checkMessages, messagesOf } from './messages.ts'
import { startTelemetry } from './telemetry/telemetry.ts'
import { type CallFormat, chooseCallFormat } from './turn/call-format.ts'
import { newCallId } from './turn/call-ids.ts'
import { checkPrefill } from './turn/prefill.ts'
import { checkToolChoice, type RequestOptions } from './turn/request-options.ts'
import type { ReplyEvent } from './turn/parse-reply-stream.ts'
import { type Reply, requestReply, type WarningEvent } from './turn/request-reply.ts'
import {
  assistantMessage,
  callsOf,
  malformedOf,
  reasoningOf,
  visibleText,
} from './turn/recorded-turn.ts'

/** The prompt and tools of a turn. */
export interface TurnOptions extends RequestOptions {
  readonly model: Model
  /** Earlier messages, or all messages if there is no `prompt`. */
  readonly messages?: readonly Message[] | undefined
  /** The user's message. */
  readonly prompt?: Content | undefined
  /** The system prompt. `{{tools}}` is replaced with the description of the tools. */
  readonly system?: string | undefined
  /**
   * The tools that the model can call: tools, definitions of tools, names of tools in `registry`,
   * or a registry.
   */
  readonly tools?:
    | Registry
    | Iterable<AnyTool | ToolDefinition | WrappedTool | string>
    | ReadonlyMap<string, AnyTool>
    | undefined
  /** The registry for looking up names. */
  readonly registry?: Registry | undefined
  readonly limits?: Partial<TurnLimits> | undefined
  /**
   * Retry if a reply breaks off. Its events are followed by a `warning` and the events of the new
   * reply. Use false for a transport that cannot discard events it has sent. Default: true.
   */
  readonly retryReplies?: boolean | undefined
  /** Cancels the turn. */
  readonly signal?: AbortSignal | undefined
}

/** The limits that apply to a turn. */
export type TurnLimits = Pick<Limits, 'maxReply' | 'maxRetries' | 'modelTimeout' | 'idleTimeout'>

/** An event in a turn. The last event contains the result. */
export type TurnEvent =
  | ReplyEvent
  | WarningEvent
  | { readonly type: 'turn-end'; readonly result: TurnResult }

/** The reply of a model. */
export interface TurnResult {
  /** The visible text: all text and all calls that could not be read, without the prefill. */
  readonly text: string
  readonly reasoning: string
  /**
   * The calls, each with a unique id. Calls with `complete: false` were cut off and must not run.
   */
  readonly calls: readonly RunCall[]
  readonly malformed: readonly Malformed[]
  /** The entire reply, verbatim, without the prefill. */
  readonly content: string
  /** The parts of `content`, in order. */
  readonly segments: readonly Segment[]
  /**
   * The id of the protocol that the model was prompted to use. Missing for native function calling.
   */
  readonly protocol?: string
  /** The reply as a message, to append to the messages. */
  readonly message: AssistantMessage
  /** The reason why the reply ended. */
  readonly finish: Finish
  readonly usage: Usage
  /** The messages sent to the model. */
  readonly prompt: readonly ChatMessage[]
  /** The time from the request to the first chunk of the reply, in milliseconds. */
  readonly firstToken?: number
  /** The duration of the reply, in milliseconds. */
  readonly duration?: number
}

/**
 * Requests a reply from a model: describes the tools in the model's protocol, parses the reply as
 * it streams, retries transient errors, and finds calls written as text. Does not run any calls:
 * see `cycle`. Invalid options throw immediately. A failed request throws a ModelError.
 */
export function turn(options: TurnOptions): AsyncGenerator<TurnEvent, TurnResult> {
  checkTurnOptions(options)
  const { model, toolsIn, toolChoice, prefill } = options
  const { offered, known, protocol } = toolsOf(options)
  const format = chooseCallFormat(model, options.protocol ?? protocol, toolsIn)
  checkToolChoice(toolChoice, offered)
  checkPrefill(prefill, format, offered)
  const messages = messagesOf(options)
  checkMessages(messages)
  const queue = new EventQueue<TurnEvent>()
  const abandoned = new AbortController()
  const { signal, retryReplies = true } = options
  const telemetry = startTelemetry(options.telemetry)
  const ids = { text: [] as string[], native: [] as string[] }
  return queue.during({
    abandoned,
    work: () =>
      requestReply(messages, {
        model,
        format,
        tools: offered,
        known,
        toolChoice,
        options,
        limits: { ...defaultLimits, ...options.limits },
        signal: signal ? AbortSignal.any([signal, abandoned.signal]) : abandoned.signal,
        release: abandoned.signal,
        retryReplies,
        telemetry,
        makeId: (index, isNative) => (ids[isNative ? 'native' : 'text'][index] ??= newCallId()),
        emit: (event) => queue.add(event, 'delta' in event ? event.delta.length : 0),
        whenRead: queue.whenRead,
      }),
    finish(reply) {
      const result = resultOf(reply, format, offered)
      return { last: [{ type: 'turn-end', result }], result }
    },
  })
}

function resultOf(
  { turn, prompt }: Reply,
  format: CallFormat,
  tools: readonly ToolDefinition[],
): TurnResult {
  const { content, segments, finish, usage, firstToken, duration } = turn
  let message: AssistantMessage | undefined
  return {
    text: visibleText(turn),
    reasoning: reasoningOf(turn),
    calls: callsOf(turn),
    malformed: malformedOf(turn),
    content,
    segments,
    ...(format.protocol && { protocol: format.protocol.id }),
    // Created on demand, because this takes long for a reply full of malformed calls.
    get message() {
      return (message ??= assistantMessage(turn, format, tools))
    },
    finish,
    usage,
    prompt: prompt.messages,
    firstToken,
    duration,
  }
}

interface OfferedTools {
  /** The tools described to the model. */
  readonly offered: readonly ToolDefinition[]
  /** The tools known to the parser, including aliases. */
  readonly known: readonly ToolDefinition[]
}

/** Tool definitions can be offered even if there is nothing to execute. */
function toolsOf({
  tools,
  registry,
}: TurnOptions): OfferedTools & Pick<RequestOptions, 'protocol'> {
  if (tools === undefined) return registry ? fromRegistry(registry) : NO_TOOLS
  if ('definitions' in tools) return fromRegistry(tools)
  const all = tools instanceof Map ? [...tools.values()] : [...tools]
  if (all.length === 0) return NO_TOOLS
  const definitions = all.filter(isDefinition)
  checkDefinitions(definitions)
  if (definitions.length === all.length) {
    const offered = sameList(tools, definitions.map(plain))
    return { offered, known: wholeTools(offered) }
  }
  const runnable = all.filter((each): each is AnyTool | string => !isDefinition(each))
  const found = fromRegistry(registryOf({ tools: runnable, ...(registry && { registry }) }))
  if (definitions.length === 0) return found
  const others = definitions.map(plain)
  return {
    ...found,
    offered: [...found.offered, ...others],
    known: [...found.known, ...wholeTools(others)],
  }
}

const lists = new WeakMap<object, readonly ToolDefinition[]>()

/**
 * Returns the earlier list from the same source if its definitions are the same, because caches use
 * its identity as a key.
 */
function sameList(source: object, now: readonly ToolDefinition[]): readonly ToolDefinition[] {
  const before = lists.get(source)
  if (before?.length === now.length && before.every((each, at) => each === now[at])) return before
  lists.set(source, now)
  return now
}

const NO_TOOLS: OfferedTools = { offered: [], known: [] }

/** True for a definition without a tool. Any other value is checked as a tool. */
function isDefinition(each: unknown): each is ToolDefinition | WrappedTool {
  if (!isObject(each)) return false
  if (isObject(each['function'])) return true
  return Object.keys(each).every((key) => DEFINITION.has(key))
}

const DEFINITION: ReadonlySet<string> = new Set([
  'name',
  'description',
  'parameters',
  'type',
  'strict',
])

function checkDefinitions(definitions: readonly (ToolDefinition | WrappedTool)[]): void {
  const names = new Set<string>()
  for (const { name, parameters = {} } of definitions.map(plain)) {
    checkToolName(name)
    if (names.has(name)) throw new TypeError(`Two tools are named ${JSON.stringify(name)}.`)
    if (!isObject(parameters))
      throw new TypeError(
        mustBe(`parameters of the tool ${JSON.stringify(name)}`, 'a JSON Schema', parameters),
      )
    names.add(name)
  }
}

function plain(each: ToolDefinition | WrappedTool): ToolDefinition {
  return 'function' in each ? each.function : each
}

function fromRegistry(registry: Registry): OfferedTools & Pick<RequestOptions, 'protocol'> {
  const { protocol } = registry.resolved
  return {
    offered: registry.definitions(),
    known: registry.known(),
    ...(protocol && { protocol }),
  }
}
