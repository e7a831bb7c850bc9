import { neutralize } from '@toolglot/core'
import type { AssistantMessage, Message } from '../../context/message.ts'
import { untrustedTexts } from '../../context/untrusted-texts.ts'
import { ModelError } from '../../model/model-error.ts'
import { addUsage } from '../../model/usage.ts'
import { cutResult } from '../../result/cut-result.ts'
import { yieldToOthers } from '../../time/yield-to-others.ts'
import { trustCallsWithoutMarks } from '../calls/calls-without-marks.ts'
import { Repeats } from '../calls/repeats.ts'
import { runTurnCalls, skipCalls } from '../calls/run-turn-calls.ts'
import type { EndReason } from '../event.ts'
import { type LateOutcome, type RunEnd, type RunInput, saidBefore } from '../resume/history.ts'
import type { RunPlan } from '../resume/start-or-resume.ts'
import { askTurn } from '../turn/ask-turn.ts'
import {
  assistantMessage,
  callsOf,
  isEmptyTurn,
  malformedOf,
  type Turn,
  visibleText,
} from '../turn/recorded-turn.ts'
import { keepInContext, shortenAfterOverflow, shortenAsRecorded } from './keep-in-context.ts'
import type { LoopState } from './loop-state.ts'
import { leftOutTools } from './offered-tools.ts'

/** How far the loop has come since the last prompt. */
interface Progress {
  firstTurn: number
  malformed: number
  empty: number
}

/** Takes one turn after another, until there is an answer or a limit is reached, and records the end. */
export async function loop(state: LoopState, plan: RunPlan): Promise<RunEnd> {
  const { signal, release, steps } = state
  const inputs = [...plan.inputs]
  const late = [...plan.late]
  const progress: Progress = { firstTurn: 0, malformed: 0, empty: 0 }
  let last: RunEnd | undefined
  state.messages = plan.messages
  state.idPrefix = idPrefixFor(plan.messages)
  for (const message of plan.messages) state.untrustedTexts.push(...untrustedTexts(message))
  warnAboutTools(state)

  for (let index = 0; ; index++) {
    await yieldToOthers()
    signal.throwIfAborted()
    if (!steps.has(`turn/${index}`)) {
      release.throwIfAborted()
      await takeLate(state, late, index)
      await takeMessages(state, inputs, index, last)
    }
    state.hadFinalTurn ||= plan.finals.includes(index)
    addLate(state, late, index)
    if (addInputs(state, inputs, index))
      Object.assign(progress, { firstTurn: index, malformed: 0, empty: 0 })
    // A later message from a person continues the run, whatever ended it here.
    const continues = inputs.some(({ turn }) => turn > index)
    last = await takeTurn(state, index, progress, {
      continues,
      finals: plan.ends + inputs.length,
    })
    if (!last) continue
    await takeLate(state, late, steps.has(`turn/${index}`) ? index + 1 : index)
    const isOver =
      !state.inbox.hasMessages && (await steps.end(`end/${plan.ends}`, last, state.inbox.seen))
    if (isOver) return last
    await state.inbox.next()
    // A limit may have been reached before this turn.
    if (!steps.has(`turn/${index}`)) index--
  }
}

/** Names the tools that the model is not told about, because its context is too small. */
function warnAboutTools(state: LoopState): void {
  const names = leftOutTools(state).map(({ name }) => name)
  if (names.length === 0) return
  const { name, contextTokens } = state.model
  state.emit({
    type: 'warning',
    code: 'tools_left_out',
    message: `The context of ${name} has only ${contextTokens} tokens, so it is not told about these tools: ${names.join(', ')}.`,
  })
}

/** Messages from another run have calls with the same ids: those of this run begin differently, so that all are unique. */
function idPrefixFor(messages: readonly Message[]): string {
  const ids = messages.flatMap((message) =>
    message.role === 'assistant' ? (message.calls ?? []).map(({ id }) => id) : [],
  )
  for (let part = 1; ; part++) {
    const prefix = part === 1 ? '' : `part-${part}-`
    if (!ids.some((id) => id.startsWith(`${prefix}turn-`))) return prefix
  }
}

/** Records what was sent to the run, to be read before this turn. `last` is the end that it replaces, if there is one. */
async function takeMessages(
  { inbox, steps }: LoopState,
  inputs: RunInput[],
  turn: number,
  last: RunEnd | undefined,
): Promise<void> {
  for (const { number, content } of inbox.take()) {
    const message = { role: 'user' as const, content }
    const input: RunInput = { message, turn, number, ...saidBefore(last) }
    last = undefined
    await steps.step(`input/${inputs.length}`, async () => input)
    inputs.push(input)
  }
}

/** Adds the messages that precede a turn, and starts over with the limits. False if there are none. */
function addInputs(state: LoopState, inputs: readonly RunInput[], turn: number): boolean {
  const now = inputs.filter((input) => input.turn === turn)
  for (const { message, said } of now) {
    if (said !== undefined) add(state, { role: 'assistant', content: said })
    add(state, message)
  }
  if (now.length === 0) return false
  state.finalMessages = []
  state.toolCalls = 0
  state.repeats = new Repeats(state.options.duplicates)
  return true
}

/** Records the outcomes that came late, to be read before this turn. */
async function takeLate(state: LoopState, late: LateOutcome[], turn: number): Promise<void> {
  const arrived = state.late
  state.late = []
  for (const each of arrived) {
    const outcome = await state.steps.step<LateOutcome>(`late/${late.length}`, async () => ({
      ...each,
      turn,
    }))
    late.push(outcome)
  }
}

function addLate(state: LoopState, late: readonly LateOutcome[], turn: number): void {
  const { format, limits, tools } = state
  for (const { call, name, outcome } of late.filter((each) => each.turn === turn)) {
    state.outcomes.set(call, outcome)
    const output = cutResult(outcome.text, limits.maxResult, call)
    state.untrustedTexts.push(output)
    const about =
      outcome.status === 'success' ? 'has ended meanwhile. It returned' : 'has failed meanwhile'
    const text = neutralize(output, { tools: tools.definitions(), protocols: format.protocol })
    add(state, { role: 'results', results: [], notes: [`${name} (${call}) ${about}:\n${text}`] })
  }
}

interface TurnSituation {
  /** Whether the run continues after this turn, whatever happens in it. */
  readonly continues: boolean
  /** The number of a last turn without tools. */
  readonly finals: number
}

/** Takes a turn and runs its calls. Returns how the run ends, if it does. */
async function takeTurn(
  state: LoopState,
  index: number,
  progress: Progress,
  { continues, finals }: TurnSituation,
): Promise<RunEnd | undefined> {
  const { limits, options, signal } = state
  if (index - progress.firstTurn >= limits.maxIterations && !continues)
    return askForFinalAnswer(state, 'max_iterations', finals)
  if (isOverBudget(state) && !continues && !state.steps.has(`turn/${index}`))
    return askForFinalAnswer(state, 'budget', finals)
  await keepInContext(state, index)

  const turn = await askWithinContext(state, index)
  addTurnTotals(state, turn)
  const unreadable = malformedOf(turn).length
  if (isEmptyTurn(turn)) {
    if (++progress.empty > limits.maxEmpty && !continues) throw emptyReplies(state, progress.empty)
    add(state, messageFrom(state, turn), { role: 'user', content: EMPTY_REPLY_PROMPT })
    return undefined
  }
  progress.empty = 0
  if (callsOf(turn).length === 0 && (unreadable === 0 || options.onMalformed === 'text')) {
    add(state, messageFrom(state, turn))
    if (continues) return undefined
    if (turn.content.length >= limits.maxReply) throw endlessReply(state)
    return { reason: 'answer', text: state.text, usage: state.usage }
  }
  const isFailed = unreadable > 0 && options.onMalformed === 'fail'
  const skipped = isFailed
    ? 'No call was run, because one was malformed.'
    : options.toolChoice === 'none'
      ? 'No call was run: tools cannot be called here.'
      : undefined
  const { protocol } = state.format
  const trusted = trustCallsWithoutMarks(turn, visibleText(turn), protocol)
  const results = await runTurnCalls(state, trusted, index, skipped)
  signal.throwIfAborted()
  add(state, messageFrom(state, turn), results.message)
  if (isFailed && !continues) return endWith(state, 'malformed', malformedOf(turn)[0]!.hint)
  progress.malformed = results.unreadable > 0 ? progress.malformed + 1 : 0
  if (continues) return undefined
  if (progress.malformed >= limits.maxMalformed)
    return endWith(state, 'malformed', results.message.results.at(-1)!.output)
  if (results.repeats >= limits.maxRepeats) return askForFinalAnswer(state, 'loop', finals)
  return results.isExhausted ? askForFinalAnswer(state, 'max_tool_calls', finals) : undefined
}

/** Asks for a turn; if the context overflows, asks once more with a shorter history. */
async function askWithinContext(state: LoopState, index: number): Promise<Turn> {
  const options = { key: `turn/${index}`, turn: index, withTools: true }
  if (await shortenAsRecorded(state, index)) return askTurn(state, state.messages, options)
  try {
    return await askTurn(state, state.messages, options)
  } catch (error) {
    if (!(error instanceof ModelError) || error.problem !== 'context_overflow') throw error
    await shortenAfterOverflow(error, state, index)
    return askTurn(state, state.messages, options)
  }
}

function add(state: LoopState, ...more: LoopState['messages']): void {
  state.messages = [...state.messages, ...more]
}

function messageFrom({ format, tools }: LoopState, turn: Turn): AssistantMessage {
  return assistantMessage(turn, format, tools.definitions())
}

function addTurnTotals(state: LoopState, turn: Turn): void {
  state.usage = addUsage(state.usage, turn.usage)
  const text = visibleText(turn).trim()
  if (text !== '') state.text = text
}

function isOverBudget({
  usage,
  limits: { maxTokens = Infinity, maxCost = Infinity },
}: LoopState): boolean {
  return usage.input + usage.output >= maxTokens || (usage.cost ?? 0) >= maxCost
}

/** Takes one last turn without tools, so that what the model found out is not lost. */
async function askForFinalAnswer(
  state: LoopState,
  reason: EndReason,
  number: number,
): Promise<RunEnd> {
  if (state.options.finalizeOnLimit === false || reason === 'budget')
    return endWith(state, reason, LIMIT_MESSAGES[reason]!(state))
  const why = LIMIT_MESSAGES[reason]!(state)
  const note = `${why} You can no longer call tools. Answer now with what you have found out, and say what remains open.`
  const key = `final/${number}`
  const isCounted = state.steps.has(key)
  const question: Message = { role: 'user', content: note }
  const turn = await askTurn(state, [...state.messages, question], {
    key,
    turn: -1,
    withTools: false,
  })
  state.finalMessages = [question, messageFrom(state, turn)]
  state.hadFinalTurn = true
  if (callsOf(turn).length > 0) await skipCalls(state, key, 0, `It was not run: ${why}`)
  const { usage } = state
  addTurnTotals(state, turn)
  // What was recorded before is counted from the start.
  if (isCounted) state.usage = usage
  return endWith(state, reason, why)
}

function endWith({ text, usage }: LoopState, reason: EndReason, error: string): RunEnd {
  return { reason, text, usage, error }
}

const LIMIT_MESSAGES: Partial<Record<EndReason, (state: LoopState) => string>> = {
  max_iterations: ({ limits }) => `The limit of ${limits.maxIterations} turns was reached.`,
  max_tool_calls: ({ limits }) => `The limit of ${limits.maxToolCalls} tool calls was reached.`,
  loop: () => 'The same calls were repeated over and over.',
  budget: () => 'The token or cost budget of the run is used up.',
}

const EMPTY_REPLY_PROMPT = 'Your reply was empty. Call a tool, or answer.'

function endlessReply({ model, limits }: LoopState): ModelError {
  return new ModelError(
    'too_long',
    `${model.name} did not stop: its reply was cut off after ${limits.maxReply} characters.`,
  )
}

function emptyReplies({ model }: LoopState, times: number): ModelError {
  return new ModelError(
    'garbled',
    `${model.name} returned an empty reply ${times} times in a row. Try another protocol or model.`,
  )
}
