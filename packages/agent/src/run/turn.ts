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
import { mustBe } from '@toolglot/permissions/internal'
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

/** The prompt of a turn, and its tools. */
export interface TurnOptions extends RequestOptions {
  readonly model: Model
  /** Earlier messages; or all messages, if there is no `prompt`. */
  readonly messages?: readonly Message[] | undefined
  /** The message of the user. */
  readonly prompt?: Content | undefined
  /** The system prompt. `{{tools}}` in it is replaced by the description of the tools. */
  readonly system?: string | undefined
  /** The tools that the model can call: tools, definitions of tools, names of tools in `registry`, or a registry. */
  readonly tools?:
    | Registry
    | Iterable<AnyTool | ToolDefinition | WrappedTool | string>
    | ReadonlyMap<string, AnyTool>
    | undefined
  /** Where tools are found by name. */
  readonly registry?: Registry | undefined
  readonly limits?: Partial<TurnLimits> | undefined
  /**
   * Whether to request another reply after one broke off. Its events are followed by a `warning`, and those of the new reply.
   * False for a transport that cannot take anything back. Default: true.
   */
  readonly retryReplies?: boolean | undefined
  /** Cancels the turn. */
  readonly signal?: AbortSignal | undefined
}

/** The limits that apply to a turn. */
export type TurnLimits = Pick<Limits, 'maxReply' | 'maxRetries' | 'modelTimeout' | 'idleTimeout'>

/** Something that happened in a turn. The last event has the result. */
export type TurnEvent =
  | ReplyEvent
  | WarningEvent
  | { readonly type: 'turn-end'; readonly result: TurnResult }

/** The reply of a model. */
export interface TurnResult {
  /** The visible text: all text, and calls that could not be read, without the prefill. */
  readonly text: string
  readonly reasoning: string
  /** The calls, each with its own id. Those with `complete: false` were cut off, and must not run. */
  readonly calls: readonly RunCall[]
  readonly malformed: readonly Malformed[]
  /** Everything that the model wrote, verbatim, without the prefill. */
  readonly content: string
  /** The parts of `content`, in order. */
  readonly segments: readonly Segment[]
  /** The id of the protocol that the model was told to write; missing for native function calling. */
  readonly protocol?: string
  /** The reply, to be added to the messages. */
  readonly message: AssistantMessage
  /** How the reply ended. */
  readonly finish: Finish
  readonly usage: Usage
  /** The messages that were sent. */
  readonly prompt: readonly ChatMessage[]
  /** From the request to the first piece of the reply, in milliseconds. */
  readonly firstToken?: number
  /** How long the reply took, in milliseconds. */
  readonly duration?: number
}

/**
 * Requests one reply from a model: the tools are described in its own protocol, the reply is parsed while it streams, transient
 * errors are retried, and calls that are printed as text are found. Nothing is run: see `cycle`. Invalid options throw at once;
 * a model that fails throws a ModelError.
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
    // Made on demand: it takes a while if the reply is full of malformed calls.
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
  /** The tools that the model is told about. */
  readonly offered: readonly ToolDefinition[]
  /** The tools that the parser knows: aliases included. */
  readonly known: readonly ToolDefinition[]
}

/** Definitions can be offered without the tools themselves. */
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

/** The earlier list of the same source, if its definitions are the same: others cache by its identity. */
function sameList(source: object, now: readonly ToolDefinition[]): readonly ToolDefinition[] {
  const before = lists.get(source)
  if (before?.length === now.length && before.every((each, at) => each === now[at])) return before
  lists.set(source, now)
  return now
}

const NO_TOOLS: OfferedTools = { offered: [], known: [] }

/** Whether it is a definition without a tool. Anything else is checked as a tool. */
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
