import { type Message, type RunCall, turn, type TurnResult, type Usage } from '@toolglot/agent'
import {
  addUsage,
  argumentProblems,
  type CallFormat,
  callOpener,
  chooseCallFormat,
  retryMessage,
} from '@toolglot/agent/internal'
import type { ToolChoice } from '@toolglot/agent/models'
import { restoreCalls, type ToolDefinition, wholeCalls } from '@toolglot/core'
import type { AnswerEnd, AnswerEvent } from './answer-event.ts'
import { GatewayError } from './gateway-error.ts'
import type { GatewayModel } from './models.ts'
import type { GatewayRequest } from './request.ts'
import { VisibleText } from './visible-text.ts'

/** What is asked, and of whom. */
export interface AnswerOptions {
  readonly request: GatewayRequest
  readonly target: GatewayModel
  readonly messages: readonly Message[]
  /** The tools as the client describes them. */
  readonly offered: readonly ToolDefinition[]
  /** The same tools as they are described to the model. */
  readonly tools: readonly ToolDefinition[]
  readonly streamArguments: boolean
  readonly signal: AbortSignal
  /** Called with what a log should say. */
  readonly note: (note: string) => void
}

/** The reply that became the answer. */
export interface Answered {
  readonly result: TurnResult
  /** What the client was sent of it. */
  readonly text: string
  readonly calls: readonly RunCall[]
  /** How often the model was asked again. */
  readonly retries: number
  readonly malformed: number
}

/**
 * Asks a model, and yields what a client is to be sent. A call leaves whole, unless arguments are streamed. If the reply has
 * only calls that cannot be read, or not the call that must be made, the model is told so and asked once more.
 */
export async function* answer(options: AnswerOptions): AsyncGenerator<AnswerEvent, Answered> {
  const { target, note } = options
  const format = chooseCallFormat(target.model, target.protocol, target.toolsIn)
  let { messages } = options
  let usage: Usage = { input: 0, output: 0 }
  let malformed = 0
  let isSent = false
  for (let retries = 0; ; retries++) {
    const attempt: Attempt = yield* ask({ ...options, messages }, format, {
      isLast: retries > 0,
      isContinued: isSent,
    })
    const { result, calls, text, problem } = attempt
    usage = addUsage(usage, result.usage)
    malformed += result.malformed.length
    isSent ||= text !== ''
    if (!problem) {
      yield { type: 'end', end: { reason: reasonOf(result, calls), usage } }
      return { result, text, calls, retries, malformed }
    }
    if (retries > 0) throw new GatewayError(502, problem.code, problem.message)
    note(`retry:${problem.code}`)
    messages = [...messages, result.message, problem.next]
  }
}

function reasonOf({ finish }: TurnResult, calls: readonly RunCall[]): AnswerEnd['reason'] {
  if (finish === 'length') return 'length'
  return calls.length > 0 ? 'calls' : 'answer'
}

/** Why a reply cannot be the answer. */
interface ReplyProblem {
  readonly code: 'malformed_call' | 'tool_choice_unmet' | 'invalid_arguments'
  readonly message: string
  /** What the model is told before it is asked again. */
  readonly next: Message
}

interface Attempt {
  readonly result: TurnResult
  readonly text: string
  readonly calls: readonly RunCall[]
  readonly problem: ReplyProblem | undefined
}

/** Asks once. The text of a reply that must be a call is held back until there is one. */
async function* ask(
  options: AnswerOptions,
  format: CallFormat,
  { isLast, isContinued }: { readonly isLast: boolean; readonly isContinued: boolean },
): AsyncGenerator<AnswerEvent, Attempt> {
  const { request, tools, note } = options
  const { toolChoice = 'auto' } = request.options
  const mustCall = toolChoice !== 'auto' && toolChoice !== 'none'
  const mayCall = tools.length > 0 && toolChoice !== 'none'
  const isStreamed = options.streamArguments && mayCall
  const guard = { tools, protocols: format.protocol }
  const visible = new VisibleText(guard, { hold: mustCall, isContinued })
  const accepted: RunCall[] = []
  /** The texts of calls that are not sent, while the model may still be asked again. */
  const unread: string[] = []
  const refused = new Map<string, string>()
  let result: TurnResult | undefined
  /** The arguments of a whole call. */
  let json = ''

  const events = restoreCalls(startTurn(options, format), guard)
  for await (const event of isStreamed ? events : wholeCalls(events)) {
    switch (event.type) {
      case 'text': {
        const delta = visible.add(event.delta)
        if (delta !== '') yield { type: 'text', delta }
        break
      }
      case 'reasoning':
        visible.hasReasoning = true
        yield event
        break
      case 'malformed':
        if (isStreamed && event.index !== undefined) throw brokenCall(event.hint)
        if (!isLast && mayCall) unread.push(event.raw)
        else yield* text(visible.add(event.raw))
        break
      case 'call-start':
        if (!isStreamed) break
        yield* text(visible.release())
        yield event
        break
      case 'call-delta':
        if (isStreamed) yield event
        else json = event.delta
        break
      case 'call-end': {
        // The calls of a turn.
        const call = event.call as RunCall
        const { index } = event
        if (!mayCall) {
          yield* text(visible.add(call.raw))
          break
        }
        const problem = await problemOf(call, options)
        if (problem !== undefined && isStreamed) throw brokenCall(problem)
        if (problem !== undefined) {
          refused.set(call.id, problem)
          unread.push(call.raw)
          break
        }
        if (!isStreamed) {
          yield* text(visible.release())
          const { id, name } = call
          yield { type: 'call-start', index: accepted.length, id, name, call }
          yield { type: 'call-delta', index: accepted.length, delta: json }
        }
        const place = isStreamed ? index : accepted.length
        accepted.push(call)
        yield { type: 'call-end', index: place, call, isWhole: !isStreamed }
        break
      }
      case 'turn-end':
        ;({ result } = event)
        break
      case 'warning':
        if (NOTED.test(event.code)) note(event.code)
        break
      // A result that the model made up is no part of its answer.
      default:
    }
  }
  if (result!.finish === 'broken')
    throw new GatewayError(502, 'upstream_cut_off', 'The reply of the model broke off.')
  const problem =
    accepted.length === 0
      ? problemIn(result!, { toolChoice, refused, isUnread: unread.length > 0 })
      : undefined
  if (!problem) {
    for (const raw of unread) yield* text(visible.add(raw))
    yield* text(visible.end(accepted.length > 0))
  }
  return { result: result!, text: visible.sent, calls: accepted, problem }
}

const NOTED = /^(?:model_|call_left_as_text)/

function* text(delta: string): Generator<AnswerEvent> {
  if (delta !== '') yield { type: 'text', delta }
}

function startTurn(
  { request, target, messages, tools, signal }: AnswerOptions,
  format: CallFormat,
): ReturnType<typeof turn> {
  const { model, protocol, toolsIn, defaults } = target
  const { toolChoice, body, ...options } = request.options
  const prefill = prefillFor(target, request, format)
  try {
    return turn({
      ...defaults,
      ...options,
      ...((body ?? defaults?.body) && { body: { ...defaults?.body, ...body } }),
      model,
      messages,
      tools,
      ...(protocol && { protocol }),
      ...(toolsIn && { toolsIn }),
      ...(toolChoice && tools.length > 0 && { toolChoice }),
      ...(prefill !== undefined && { prefill }),
      limits: { maxRetries: MAX_RETRIES },
      retryReplies: false,
      signal,
    })
  } catch (error) {
    // Options are checked at once; what they say comes from the request.
    if (!(error instanceof TypeError)) throw error
    throw new GatewayError(400, 'invalid_request', error.message)
  }
}

/** Clients ask again, too. */
const MAX_RETRIES = 2

/** The beginning of the call that must be made, if the model continues a reply that was begun for it. */
function prefillFor(
  { model }: GatewayModel,
  { options: { toolChoice }, tools }: GatewayRequest,
  { protocol, toolsIn }: CallFormat,
): string | undefined {
  if (toolChoice === undefined || toolChoice === 'auto' || toolChoice === 'none') return undefined
  if (!model.prefill || !protocol || toolsIn !== 'prompt') return undefined
  const definitions = tools.map(({ definition }) => definition)
  return callOpener(protocol, definitions, toolChoice === 'required' ? undefined : toolChoice.name)
}

/** Why a call must not be sent; undefined if it may. */
async function problemOf(
  { name, args, complete }: RunCall,
  { request, offered }: AnswerOptions,
): Promise<string | undefined> {
  const { toolChoice } = request.options
  if (!complete) return `The call of ${name} was cut off.`
  if (typeof toolChoice === 'object' && toolChoice.name !== name)
    return `Expected a call of ${toolChoice.name}, got one of ${name}.`
  const at = offered.findIndex((each) => each.name === name)
  const parameters = offered[at]?.parameters
  if (!request.tools[at]?.strict || !parameters) return undefined
  const problems = await argumentProblems(parameters, args)
  if (problems.length === 0) return undefined
  return `The arguments of ${name} do not match its schema: ${problems.join('; ')}`
}

/** Why a reply without any call that was sent cannot be the answer. */
function problemIn(
  result: TurnResult,
  {
    toolChoice,
    refused,
    isUnread,
  }: {
    readonly toolChoice: ToolChoice
    /** Why each call was not sent. */
    readonly refused: ReadonlyMap<string, string>
    readonly isUnread: boolean
  },
): ReplyProblem | undefined {
  const [why] = refused.values()
  if (toolChoice === 'required' || typeof toolChoice === 'object') {
    const what = toolChoice === 'required' ? 'a tool' : `the tool ${toolChoice.name}`
    const message = `The model did not call ${what}, although it must. ${why ?? ''}`.trim()
    const next = retryMessage(result, toolChoice) ?? refusalMessage(result, refused)
    return { code: 'tool_choice_unmet', message, next }
  }
  if (why !== undefined)
    return { code: 'invalid_arguments', message: why, next: refusalMessage(result, refused) }
  // A reply that was cut off would be cut off again.
  if (!isUnread || result.finish === 'length') return undefined
  const message = 'The model wrote a call that cannot be read.'
  return { code: 'malformed_call', message, next: retryMessage(result)! }
}

/** Tells the model why its calls were not made. */
function refusalMessage(
  { message, calls }: TurnResult,
  refused: ReadonlyMap<string, string>,
): Message {
  const results = calls.map(({ id, name, args }, at) => ({
    call: message.calls?.[at] ?? { id, name, args },
    output: refused.get(id) ?? 'It was not run.',
    failed: true as const,
    invalid: true as const,
  }))
  return { role: 'results', results }
}

/** A call whose beginning the client has already. */
function brokenCall(problem: string): GatewayError {
  return new GatewayError(502, 'broken_call', `The model did not finish a call. ${problem}`)
}
