import { type RunCall, turn, type TurnEvent, type TurnResult, type Usage } from '@toolglot/agent'
import {
  addUsage,
  type CallAsText,
  certainCalls,
  openerFor,
  VisibleText,
  yieldToOthers,
} from '@toolglot/agent/adapter/internal'
import { estimateTokens } from '@toolglot/agent/context'
import { restoreCalls, wholeCalls } from '@toolglot/core'
import type { AnswerEnd, AnswerEvent } from './answer-event.ts'
import { GatewayError } from './gateway-error.ts'
import type { Prepared } from './prepare.ts'
import { problemIn, problemOf, type ReplyProblem } from './reply-problem.ts'
import { StopSequences } from './stop-sequences.ts'

/** The request, and the model that answers it. */
export interface AnswerOptions extends Prepared {
  readonly streamArguments: boolean
  readonly signal: AbortSignal
  /** Called with notes for the log. */
  readonly note: (note: string) => void
  /** Called after each reply. */
  readonly attempted?: (attempts: Pick<Answered, 'retries' | 'malformed'>) => void
}

/** The reply that became the answer. */
export interface Answered {
  /**
   * The complete reply. Undefined if a stop sequence of the client ended it and the rest was not
   * read.
   */
  readonly result: TurnResult | undefined
  /** The part that was sent to the client. */
  readonly text: string
  readonly calls: readonly RunCall[]
  /** True if the model also forged results. The text after them was left out. */
  readonly isForged: boolean
  /** The number of retries. */
  readonly retries: number
  readonly malformed: number
}

/**
 * Requests a reply from a model and yields the answer for the client. Calls are sent whole unless
 * arguments are streamed. If the reply has only calls that are malformed or may be examples, or
 * lacks a required call, the model is told the problem and gets one more attempt.
 */
export async function* answer(options: AnswerOptions): AsyncGenerator<AnswerEvent, Answered> {
  let { messages } = options
  let usage: Usage = { input: 0, output: 0 }
  let malformed = 0
  let sent = ''
  for (let retries = 0; ; retries++) {
    const attempt: Attempt = yield* ask(
      { ...options, messages },
      { isLast: retries > 0, isContinued: sent !== '' },
    )
    const { result, calls, isForged, problem } = attempt
    usage = addUsage(usage, attempt.usage)
    malformed += result?.malformed.length ?? 0
    sent += attempt.text
    options.attempted?.({ retries, malformed })
    if (!problem) {
      yield { type: 'end', end: { ...endingOf(attempt), usage } }
      return { result, text: sent, calls, isForged, retries, malformed }
    }
    if (retries > 0) {
      const { code, message, summary } = problem
      throw new GatewayError(502, code, message, { summary })
    }
    options.note(`retry:${problem.code}`)
    messages = [...messages, result!.message, problem.next]
  }
}

function endingOf({ result, calls, stopSequence }: Attempt): Omit<AnswerEnd, 'usage'> {
  if (result?.finish === 'length') return { reason: 'length' }
  // The client runs these calls, regardless of the text after them.
  if (calls.length > 0) return { reason: 'calls' }
  return { reason: 'answer', stopSequence }
}

interface Attempt extends Pick<Answered, 'result' | 'text' | 'calls' | 'isForged'> {
  readonly usage: Usage
  readonly stopSequence?: string
  readonly problem?: ReplyProblem | undefined
}

/** Makes one request. If a call is required, text is held back until there is one. */
async function* ask(
  options: AnswerOptions,
  { isLast, isContinued }: { readonly isLast: boolean; readonly isContinued: boolean },
): AsyncGenerator<AnswerEvent, Attempt> {
  const { request, tools, note, format } = options
  const { toolChoice = 'auto', stopAtFirstCall = false } = request.options
  const mustCall = toolChoice !== 'auto' && toolChoice !== 'none'
  const mayCall = tools.length > 0 && toolChoice !== 'none'
  const isStreamed = options.streamArguments && mayCall
  const guard = { tools, protocols: format.protocol }
  const visible = new VisibleText(guard, { hold: mustCall, isContinued })
  // Stop sequences apply only to the text that the client sees: inside a call, they would cut it
  // off. They don't apply if a call is required.
  const stops = new StopSequences(mustCall ? [] : (request.options.stop ?? []))
  /** The text of the model that was read so far. */
  const written: string[] = []
  const accepted: RunCall[] = []
  /** The reasons why calls are not sent, by call id. */
  const refused = new Map<string, string>()
  /** The texts of calls that are not sent, while a retry is still possible. */
  const unread: string[] = []
  /** The ids of calls that may be examples. */
  const uncertain = new Set<string>()
  /** The arguments of started calls. */
  const json = new Map<number, string>()
  let only: number | undefined
  /** True once the model has forged a result, on which the rest of its text is based. */
  let isForged = false
  let result: TurnResult | undefined

  /** Shows the next piece of text. */
  function* show(delta: string): Generator<AnswerEvent> {
    // A call whose start was sent to the client must end.
    yield* text(isStreamed && json.size > 0 ? delta : stops.add(delta))
  }
  /** Shows all of the text before the next event. */
  function* showAll(delta: string): Generator<AnswerEvent> {
    yield* show(delta)
    yield* text(stops.flush())
  }

  await yieldToOthers()
  const certain = certainCalls<TurnEvent>(startTurn(options), {
    callsInProse: options.target.callsInProse,
    endOf: (event) => (event.type === 'turn-end' ? event.result : undefined),
  })
  const events = restoreCalls<TurnEvent | CallAsText>(certain, guard)
  const shown = isStreamed ? events : wholeCalls<TurnEvent | CallAsText>(events)
  for await (const event of shown) {
    if (isForged && event.type !== 'turn-end') continue
    switch (event.type) {
      case 'text':
        written.push(event.delta)
        yield* show(visible.add(event.delta))
        break
      case 'reasoning':
        written.push(event.delta)
        yield* showAll(visible.pause())
        if (stops.matched === undefined) yield event
        break
      case 'malformed':
        if (isStreamed && event.index !== undefined) throw brokenCall(event.hint)
        if (!isLast && mayCall) unread.push(event.raw)
        else yield* show(visible.add(event.raw))
        break
      case 'call-as-text':
        if (isStreamed) throw brokenCall('It may be an example: there is other text around it.')
        if (mayCall) uncertain.add(event.call.id)
        if (!isLast && mayCall) unread.push(event.raw)
        else yield* show(visible.add(event.raw))
        break
      case 'call-start':
        only ??= event.index
        if (isStreamed && !(stopAtFirstCall && event.index !== only)) {
          yield* showAll(visible.release())
          if (stops.matched === undefined) yield event
        }
        json.set(event.index, '')
        break
      case 'call-delta': {
        const { index, delta } = event
        written.push(delta)
        json.set(index, (json.get(index) ?? '') + delta)
        if (isStreamed && !(stopAtFirstCall && index !== only)) yield event
        break
      }
      case 'call-end': {
        const { index } = event
        // Events of a turn contain calls of this type.
        const call = event.call as RunCall
        const args = json.get(index) ?? ''
        json.delete(index)
        if (!mayCall) yield* show(visible.add(call.raw))
        if (!mayCall || (stopAtFirstCall && index !== only)) break
        const problem = await problemOf(call, options)
        if (isStreamed) {
          if (problem !== undefined) throw brokenCall(problem)
          if (!isJsonOf(call, args)) throw brokenCall('Its arguments had to be repaired.')
        } else if (problem !== undefined) {
          refused.set(call.id, problem)
          note('refused-call')
          break
        } else {
          yield* showAll(visible.release())
          if (stops.matched !== undefined) break
          const { id, name } = call
          yield { type: 'call-start', index: accepted.length, id, name }
          yield { type: 'call-delta', index: accepted.length, delta: args }
        }
        yield { type: 'call-end', index: isStreamed ? index : accepted.length, call }
        accepted.push(call)
        break
      }
      case 'turn-end':
        ;({ result } = event)
        break
      case 'warning':
        if (event.code === 'call_left_as_text') note(event.code)
        break
      case 'result':
        isForged = accepted.length > 0 || json.size > 0
        if (isForged) note('forged-result')
        break
      default:
    }
    if (stops.matched !== undefined) break
  }
  const answered = { calls: accepted, isForged }
  if (stops.matched !== undefined) return stoppedAt(stops.matched)
  if (result!.finish === 'broken') {
    const message = 'The reply of the model broke off.'
    throw new GatewayError(502, 'upstream_cut_off', message, { summary: message })
  }
  const isUnread = unread.length > 0
  const problem =
    accepted.length > 0
      ? undefined
      : problemIn(result!, { toolChoice, refused, uncertain, isUnread })
  if (!problem) {
    if (uncertain.size > 0) note('call_left_as_text')
    for (const raw of unread) yield* show(visible.add(raw))
    yield* showAll(visible.end(accepted.length > 0))
    if (stops.matched !== undefined) return stoppedAt(stops.matched, result!.usage)
  }
  return { ...answered, result: result!, text: visible.shown, usage: result!.usage, problem }

  /**
   * A reply that was not read to its end. Its tokens were not counted, unless the end arrived at
   * the same time.
   */
  function stoppedAt(stopSequence: string, counted?: Usage): Attempt {
    const output = estimateTokens(written.join(''))
    const usage = counted ?? { input: options.estimate(), output, estimated: true }
    return { ...answered, result: undefined, text: visible.shown, usage, stopSequence }
  }
}

/** True if parsing this JSON gives the arguments of the call. */
function isJsonOf({ args, repairs }: RunCall, json: string): boolean {
  // With duplicate keys, parsers may take either value.
  if (repairs.includes('duplicate-key')) return false
  try {
    return JSON.stringify(JSON.parse(json)) === JSON.stringify(args)
  } catch {
    // A native call that was repaired after it was complete.
    return false
  }
}

function* text(delta: string): Generator<AnswerEvent> {
  if (delta !== '') yield { type: 'text', delta }
}

function startTurn(asking: AnswerOptions): ReturnType<typeof turn> {
  const { request, target, format, messages, offered, tools, signal } = asking
  const { model, protocol, toolsIn, defaults } = target
  const { toolChoice, body, stop: _, ...options } = request.options
  // With prefill, the model continues the given start of a reply.
  const prefill = model.prefill ? openerFor(toolChoice ?? 'auto', format, offered) : undefined
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
    alternate: true,
    limits: { maxRetries: MAX_RETRIES, maxReply: MAX_REPLY },
    signal,
  })
}

/** Clients retry by themselves, and choose their own delays. */
const MAX_RETRIES = 0

/** In characters: longer than any real reply, and short enough to keep many replies in memory. */
const MAX_REPLY = 512 << 10

/** A call whose beginning was already sent to the client. */
function brokenCall(problem: string): GatewayError {
  const summary = 'The model did not finish a call.'
  return new GatewayError(502, 'broken_call', `${summary} ${problem}`, { summary })
}
