// Folder: Executions in the `ptk` protocol.
import {
  defaultLimits,
  type EndReason,
  type ExecuteResult,
  type Message,
  type Model,
  run,
  type RunEvent,
  type RunResult,
  type ToolCall,
} from '@toolglot/agent'
import { foldConversation, renderChat } from '@toolglot/agent/context'
import { textOf, unlessAborted } from '@toolglot/agent/internal'
import { type Call, parse, protocols } from '@toolglot/core'
import type { ILLMManager } from '../llm-manager.ts'
import { errorOf, toFailure } from '../run-call.ts'
import type { ManagedCallOptions } from '../tool-manager.ts'
import {
  PTKErrorCode,
  PTKExecutionError,
  type PTKExecuteOptions,
  type PTKMessage,
  type PTKToolCall,
} from './types.ts'
import { toToolCall } from './parser.ts'

/** The initial state of a conversation. */
export interface ConversationSetup {
  readonly llmManager: ILLMManager
  readonly tools: ManagedCallOptions
  readonly messages: readonly PTKMessage[]
  readonly options: PTKExecuteOptions
  /** The maximum number of retries of a call that failed with a transient error. */
  readonly retries: number
  readonly log: (...what: readonly unknown[]) => void
}

/** The course of a conversation. */
export interface Conversation {
  readonly result: RunResult
  /** All messages, including the prompt that describes the tools. */
  readonly messages: PTKMessage[]
  /** The new messages. */
  readonly added: PTKMessage[]
  readonly iterations: number
  /** The calls that ran. */
  readonly toolCalls: PTKToolCall[]
  /** The reason why there is no answer. */
  readonly failure: PTKExecutionError | undefined
}

/** A call that ran, with its outcome. */
interface BegunCall {
  readonly call: ToolCall
  readonly toolCall: PTKToolCall
  readonly iteration: number
  readonly result?: ExecuteResult
}

/** The calls that ran, and the number of the last reply. */
interface Where {
  readonly toolCalls: PTKToolCall[]
  readonly iteration: number
}

/**
 * Lets a model call tools until it has an answer, using `run` with the protocol `ptk` and
 * callbacks.
 */
export async function converse(setup: ConversationSetup): Promise<Conversation> {
  const { llmManager, tools, options, retries, log } = setup
  const { maxIterations = 10, maxToolCalls = 20, timeout, signal, onMalformed = 'fail' } = options
  const { detectDuplicates = true, duplicateWindow = 3, model: name, temperature } = options
  const { maxReply = defaultLimits.maxReply } = tools.limits ?? {}
  const registry = tools.registry.with()
  const stop = new AbortController()
  const begun = new Map<string, BegunCall>()
  /** The calls of all replies in the model's own form, by id. */
  const ids = new Map<string, PTKToolCall>()
  /** The calls of the last reply that have not run yet. */
  let written: readonly PTKToolCall[] = []
  let reply = ''
  let iterations = 0
  /** The number of calls that `maxToolCalls` still allows. */
  let left = maxToolCalls
  let failure: PTKExecutionError | undefined
  let canTell = true

  const model: Model = {
    name: name ?? 'llm',
    async *reply({ messages, signal: aborted }) {
      const isFinished = await unlessAborted(aborted, ask(foldConversation(messages), aborted))
      yield { type: 'text', delta: reply }
      // LLM managers don't report why a reply ended, so a call without an end may have been cut
      // off.
      yield { type: 'finish', finish: isFinished ? 'stop' : 'length' }
    },
  }
  registry.use(async (call, next) => {
    const { id } = call
    const toolCall = { ...(ids.get(id) ?? takeWritten(call)), ...toToolCall(call) }
    log(`Tool called: ${call.name}`, call.args)
    tell(options.onToolCall, toolCall)
    stop.signal.throwIfAborted()
    begun.set(id, { call, toolCall, iteration: iterations })
    const result = await next()
    begun.set(id, { call, toolCall, iteration: iterations, result })
    return result
  })
  const events = run({
    ...tools,
    messages: setup.messages.map(fromPTKMessage),
    model,
    registry,
    protocol: 'ptk',
    resultRole: 'tool',
    limits: { ...tools.limits, maxIterations, maxToolCalls, maxRetries: 0, runTimeout: timeout },
    duplicates: { detect: detectDuplicates, window: duplicateWindow, warning: warningAbout },
    retryTools: retries > 0 && { retries },
    onMalformed,
    finalizeOnLimit: false,
    signal: signal ? AbortSignal.any([signal, stop.signal]) : stop.signal,
  })
  let next = await events.next()
  for (; !next.done; next = await events.next()) observe(next.value)
  const result = next.value
  failure ??= failureOf(result, maxIterations, maxToolCalls, where())
  if (failure && canTell && failure.code !== PTKErrorCode.MAX_ITERATIONS_REACHED)
    tell(options.onError, failure)
  const all = [...result.messages, ...unrecorded(result)]
  return {
    result,
    messages: shown(all),
    // The prompt that describes the tools is created again each time.
    added: shown(all.slice(setup.messages.length)).filter(({ role }) => role !== 'system'),
    iterations,
    toolCalls: where().toolCalls,
    failure,
  }

  /** Requests a reply. Returns true if every call in it has an end. */
  async function ask(prompt: string, aborted: AbortSignal): Promise<boolean> {
    iterations++
    let replied: unknown
    try {
      replied = await llmManager.call(prompt, { model: name, temperature, signal: aborted })
    } catch (error) {
      throw aborted.aborted ? error : fail(error, PTKErrorCode.LLM_CALL_FAILED)
    }
    aborted.throwIfAborted()
    if (typeof replied !== 'string') {
      const type = replied === null ? 'null' : typeof replied
      throw fail(`The LLM manager's reply must be text, not ${type}.`, PTKErrorCode.LLM_CALL_FAILED)
    }
    reply = replied
    const read = replied.slice(0, maxReply)
    const { calls, text } = parse(read, { protocols: 'ptk', tools: registry.known() })
    written = calls.map(toToolCall)
    const type = calls.length > 0 ? 'tool_call' : 'text'
    const content = type === 'text' ? text : undefined
    log(`Iteration ${iterations}: ${type}`)
    const info = { iteration: iterations, type, content, toolCallsSoFar: begun.size } as const
    tell(options.onIteration, info)
    // The limit applies first: calls beyond it are not checked.
    if (onMalformed === 'fail') refuse(calls.slice(0, left))
    left = Math.max(0, left - calls.length)
    return calls.every(isWhole)
  }

  /** Ends the conversation if one of the calls cannot run. */
  function refuse(calls: readonly Call[]): void {
    const unknown = calls.find((call) => !registry.find(call.name))
    if (unknown) throw fail(`Tool not found: ${unknown.name}`, PTKErrorCode.TOOL_NOT_FOUND)
    const open = calls.find((call) => !isWhole(call))
    if (open) throw fail(`The call of ${open.name} was cut off.`, PTKErrorCode.PARSE_ERROR)
    const inexact = calls.find(({ repairs }) => repairs.includes('number-out-of-range'))
    if (inexact)
      throw fail(
        `Invalid tool call: ${inexact.name} has a number that cannot be represented exactly.`,
        PTKErrorCode.INVALID_TOOL_CALL,
      )
  }

  /** The current state of the conversation. */
  function where(): Where {
    return { toolCalls: [...begun.values()].map(({ toolCall }) => toolCall), iteration: iterations }
  }

  /** Ends the conversation. Only the first failure is kept. */
  function fail(error: unknown, code: PTKErrorCode): PTKExecutionError {
    failure ??= toFailure(error, code, where())
    stop.abort(failure)
    return failure
  }

  /** Calls a callback. An error or rejection in it ends the conversation. */
  function tell<Value>(callback: ((value: Value) => unknown) | undefined, value: Value): void {
    const onFailure = (error: unknown): void => {
      // `onError` does not receive its own error.
      if (callback === options.onError) canTell = false
      fail(error, PTKErrorCode.ABORTED)
    }
    try {
      void Promise.resolve(callback?.(value)).catch(onFailure)
    } catch (error) {
      onFailure(error)
    }
  }

  function observe(event: RunEvent): void {
    if (event.type === 'call-end') ids.set(event.call.id, toToolCall(event.call))
    if (event.type === 'duplicate') tell(options.onDuplicateDetected, ids.get(event.call)!)
    if (failure || event.type !== 'tool-end' || !event.outcome.failure) return
    const result = begun.get(event.call)?.result
    const error = errorOf(result?.status === 'error' ? result.failure : event.outcome.failure)
    const isFinal = onMalformed === 'fail' && error.code === PTKErrorCode.INVALID_TOOL_CALL
    if (isFinal) fail(error, error.code)
    else tell(options.onError, error)
  }

  /**
   * The model's own form of a call, with its reason. Text copied from results may have been
   * restored since then.
   */
  function takeWritten({ name: called, args }: ToolCall): PTKToolCall | undefined {
    const named = written.filter(({ tool }) => tool === called)
    const key = JSON.stringify(args)
    const found = named.find((each) => JSON.stringify(each.args) === key) ?? named[0]
    written = written.filter((each) => each !== found)
    return found
  }

  /**
   * The results of the last reply's calls, kept even if the conversation was stopped while they
   * ran.
   */
  function unrecorded({ messages }: RunResult): readonly Message[] {
    const known = messages.flatMap((each) => (each.role === 'results' ? each.results : []))
    const results = [...begun.values()]
      .filter(
        ({ call, iteration }) =>
          iteration === iterations && !known.some((each) => each.call.id === call.id),
      )
      .map(({ call, result }) => ({
        call,
        output: result?.status === 'success' ? result.text : (result?.failure.message ?? STOPPED),
        ...(result?.status !== 'success' && { failed: true as const }),
      }))
    if (results.length === 0) return []
    const notes = ['The conversation was stopped here. Calls without a result were not run.']
    return [
      { role: 'assistant', content: reply, protocol: 'ptk' },
      { role: 'results', results, notes },
    ]
  }

  function shown(messages: readonly Message[]): PTKMessage[] {
    const rendered = renderChat(messages, {
      protocol: protocols.ptk,
      tools: registry.definitions(),
      roles: ['system', 'tool'],
      resultRole: 'tool',
    })
    return rendered.map(({ role, content }) => ({ role, content: textOf(content) }))
  }
}

const STOPPED = 'It was stopped, and its outcome is unknown.'

/** A call without an end may be the beginning of another one. */
function isWhole({ complete, repairs }: Call): boolean {
  return complete && !repairs.includes('missing-closer')
}

/** A message from the caller. Results are already printed, and as untrusted as any. */
function fromPTKMessage({ role, content }: PTKMessage): Message {
  if (role === 'tool') return { role: 'results', results: [], notes: [content], printed: true }
  return role === 'assistant' ? { role, content, protocol: 'ptk' } : { role, content }
}

/** The reason why a run has no answer. */
function failureOf(
  { reason, error = `There is no answer: ${reason}.` }: RunResult,
  maxIterations: number,
  maxToolCalls: number,
  context: Where,
): PTKExecutionError | undefined {
  if (reason === 'answer') return undefined
  const messages: Partial<Record<EndReason, string>> = {
    max_iterations: `Max iterations reached (${maxIterations}). LLM did not provide final answer.`,
    max_tool_calls: `Max tool calls limit reached (${maxToolCalls}). Possible infinite loop.`,
  }
  const code = CODES[reason] ?? PTKErrorCode.LLM_CALL_FAILED
  return new PTKExecutionError(messages[reason] ?? error, code, context)
}

const CODES: Readonly<Partial<Record<EndReason, PTKErrorCode>>> = {
  max_iterations: PTKErrorCode.MAX_ITERATIONS_REACHED,
  max_tool_calls: PTKErrorCode.MAX_TOOL_CALLS_REACHED,
  malformed: PTKErrorCode.PARSE_ERROR,
  loop: PTKErrorCode.DUPLICATE_TOOL_CALL,
  denied: PTKErrorCode.TOOL_EXECUTION_FAILED,
  timeout: PTKErrorCode.ABORTED,
  cancelled: PTKErrorCode.ABORTED,
}

function warningAbout(tool: string): string {
  return `⚠️ WARNING: You just called "${tool}" with the same arguments. This looks like a loop. Please try a DIFFERENT approach or provide a final answer if you have enough information.`
}
