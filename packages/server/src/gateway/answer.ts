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

/** The request and the model that it goes to. */
export interface AnswerOptions extends Prepared {
  readonly streamArguments: boolean
  readonly signal: AbortSignal
  /** Called with what a log should say. */
  readonly note: (note: string) => void
  /** Called after each reply. */
  readonly attempted?: (attempts: Pick<Answered, 'retries' | 'malformed'>) => void
}

/** The reply that became the answer. */
export interface Answered {
  /** All of the reply; undefined if a sequence of the client ended it, and the rest was not read. */
  readonly result: TurnResult | undefined
  /** The part that the client was sent. */
  readonly text: string
  readonly calls: readonly RunCall[]
  /** The model also made up results: what it wrote after that was left out. */
  readonly isForged: boolean
  /** How often the model was asked again. */
  readonly retries: number
  readonly malformed: number
}

/**
 * Asks a model, and yields what a client is to be sent. A call leaves whole, unless arguments are streamed. If the reply has
 * only calls that cannot be read, or that may be examples, or not the call that must be made, the model is told so and asked
 * once more.
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
  // Calls that were made are run, whatever came after them.
  if (calls.length > 0) return { reason: 'calls' }
  return { reason: 'answer', stopSequence }
}

interface Attempt extends Pick<Answered, 'result' | 'text' | 'calls' | 'isForged'> {
  readonly usage: Usage
  readonly stopSequence?: string
  readonly problem?: ReplyProblem | undefined
}

/** Asks once. The text of a reply that must be a call is held back until there is one. */
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
  // Only the text that a client sees is searched: a sequence inside a call would cut the call off. A call that must be made is.
  const stops = new StopSequences(mustCall ? [] : (request.options.stop ?? []))
  /** The model's text, as far as it was read. */
  const written: string[] = []
  const accepted: RunCall[] = []
  /** Why calls are not sent, by their ids. */
  const refused = new Map<string, string>()
  /** The texts of calls that are not sent, while the model may still be asked again. */
  const unread: string[] = []
  /** The ids of calls that may be examples. */
  const uncertain = new Set<string>()
  /** The arguments of the calls that have begun. */
  const json = new Map<number, string>()
  let only: number | undefined
  /** The model forged a result, and the rest is based on it. */
  let isForged = false
  let result: TurnResult | undefined

  /** Shows more of the text. */
  function* show(delta: string): Generator<AnswerEvent> {
    // A call whose beginning the client has must end.
    yield* text(isStreamed && json.size > 0 ? delta : stops.add(delta))
  }
  /** Shows all of the text, before something else. */
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
        if (isStreamed) throw brokenCall('It may be an example: other text is around it.')
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
        // The calls of a turn.
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

  /** A reply that was not read to its end: nobody counted its tokens, unless its end came at the same time. */
  function stoppedAt(stopSequence: string, counted?: Usage): Attempt {
    const output = estimateTokens(written.join(''))
    const usage = counted ?? { input: options.estimate(), output, estimated: true }
    return { ...answered, result: undefined, text: visible.shown, usage, stopSequence }
  }
}

/** Whether a client that reads this JSON gets these arguments. */
function isJsonOf({ args, repairs }: RunCall, json: string): boolean {
  // Of two equal keys, a reader may take either.
  if (repairs.includes('duplicate-key')) return false
  try {
    return JSON.stringify(JSON.parse(json)) === JSON.stringify(args)
  } catch {
    // A native call, repaired once it was whole.
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
  // Such a model continues a reply that was begun for it.
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

/** Clients ask again themselves, and know best how long to wait. */
const MAX_RETRIES = 0

/** In characters: more than any model writes, and little enough that many replies fit into memory. */
const MAX_REPLY = 512 << 10

/** A call whose beginning the client has already. */
function brokenCall(problem: string): GatewayError {
  const summary = 'The model did not finish a call.'
  return new GatewayError(502, 'broken_call', `${summary} ${problem}`, { summary })
}
