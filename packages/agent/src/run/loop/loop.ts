import type { AssistantMessage, Message } from '../../context/message.ts'
import { untrustedTexts } from '../../context/summary.ts'
import type { TurnKey } from '../../journal/keys.ts'
import { ModelError } from '../../model/model-error.ts'
import { addUsage } from '../../model/usage.ts'
import { yieldToOthers } from '../../time/yield-to-others.ts'
import { trustCallsWithoutMarks } from '../calls/calls-without-marks.ts'
import { runTurnCalls, skipCalls } from '../calls/run-turn-calls.ts'
import type { EndReason } from '../event.ts'
import { type Arrival, isInput, type RunEnd } from '../resume/history.ts'
import type { RunPlan } from '../resume/start-or-resume.ts'
import type { LoopState } from '../state.ts'
import {
  assistantMessage,
  callsOf,
  isEmptyTurn,
  malformedOf,
  type Turn,
  visibleText,
} from '../turn/recorded-turn.ts'
import { takeTurn } from '../turn/take-turn.ts'
import { addArrivals, addMessages, takeLate, takeMessages } from './arrivals.ts'
import { leftOutTools } from '../turn/offered-tools.ts'

/** The progress of the loop since the last prompt. */
interface Progress {
  firstTurn: number
  malformed: number
  empty: number
}

/** Takes turns until there is an answer or a limit is reached. Records the end. */
export async function loop(state: LoopState, plan: RunPlan): Promise<RunEnd> {
  const { signal, release, steps } = state
  const added = new Set<Arrival>()
  const progress: Progress = { firstTurn: 0, malformed: 0, empty: 0 }
  let last: RunEnd | undefined
  state.messages = plan.messages
  state.idPrefix = idPrefixFor(plan.messages)
  for (const message of plan.messages) state.untrustedTexts.push(...untrustedTexts(message))
  warnAboutTools(state)

  for (let index = 0; ; index++) {
    await yieldToOthers()
    signal.throwIfAborted()
    const key: TurnKey = { type: 'turn', turn: index }
    if (!steps.has(key)) {
      release.throwIfAborted()
      await takeLate(state, index)
      await takeMessages(state, index, last)
    }
    state.hadFinalTurn ||= plan.finals.includes(index)
    if (addArrivals(state, index, added))
      Object.assign(progress, { firstTurn: index, malformed: 0, empty: 0 })
    // A message from a person continues the run later, regardless of the reason why it ended here.
    const inputs = state.arrivals.filter(isInput)
    const continues = inputs.some(({ turn }) => turn > index)
    last = await advance(state, index, progress, {
      continues,
      finals: plan.ends + inputs.length,
    })
    if (!last) continue
    await takeLate(state, steps.has(key) ? index + 1 : index)
    const isOver =
      !state.inbox.hasMessages &&
      (await steps.end({ type: 'end', number: plan.ends }, last, state.inbox.seen))
    if (isOver) return last
    await state.inbox.next()
    // The limit may have been reached before this turn.
    if (!steps.has(key)) index--
  }
}

/** Warns about tools that are left out because the model's context is too small. */
function warnAboutTools(state: LoopState): void {
  const names = leftOutTools(state).map(({ name }) => name)
  if (names.length === 0) return
  const { name, contextTokens } = state.model
  state.emit({
    type: 'warning',
    code: 'tools_left_out',
    message: `The context of ${name} has only ${contextTokens} tokens, so these tools are left out: ${names.join(', ')}.`,
  })
}

/**
 * A prefix for the call ids of this run, because messages from another run may contain the same
 * ids.
 */
function idPrefixFor(messages: readonly Message[]): string {
  const ids = messages.flatMap((message) =>
    message.role === 'assistant' ? (message.calls ?? []).map(({ id }) => id) : [],
  )
  for (let part = 1; ; part++) {
    const prefix = part === 1 ? '' : `part-${part}-`
    if (!ids.some((id) => id.startsWith(`${prefix}turn-`))) return prefix
  }
}

interface TurnSituation {
  /** True if the run continues after this turn in any case. */
  readonly continues: boolean
  /** The number of the last turn without tools. */
  readonly finals: number
}

/** Takes a turn and runs its calls. Returns the end of the run, if this was the last turn. */
async function advance(
  state: LoopState,
  index: number,
  progress: Progress,
  { continues, finals }: TurnSituation,
): Promise<RunEnd | undefined> {
  const { limits, options, signal } = state
  if (index - progress.firstTurn >= limits.maxIterations && !continues)
    return takeFinalTurn(state, 'max_iterations', finals)
  const key: TurnKey = { type: 'turn', turn: index }
  if (isOverBudget(state) && !continues && !state.steps.has(key))
    return takeFinalTurn(state, 'budget', finals)

  const turn = await takeTurn(state, {
    key,
    withTools: true,
    holder: state,
  })
  addTurnTotals(state, turn)
  const unreadable = malformedOf(turn).length
  if (isEmptyTurn(turn)) {
    if (++progress.empty > limits.maxEmpty && !continues) throw emptyReplies(state, progress.empty)
    addMessages(state, messageFrom(state, turn), { role: 'user', content: EMPTY_REPLY_PROMPT })
    return undefined
  }
  progress.empty = 0
  if (callsOf(turn).length === 0 && (unreadable === 0 || options.onMalformed === 'text')) {
    addMessages(state, messageFrom(state, turn))
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
  addMessages(state, messageFrom(state, turn), results.message)
  if (isFailed && !continues) return endWith(state, 'malformed', malformedOf(turn)[0]!.hint)
  progress.malformed = results.unreadable > 0 ? progress.malformed + 1 : 0
  if (continues) return undefined
  if (progress.malformed >= limits.maxMalformed)
    return endWith(state, 'malformed', results.message.results.at(-1)!.output)
  if (results.repeats >= limits.maxRepeats) return takeFinalTurn(state, 'loop', finals)
  return results.isExhausted ? takeFinalTurn(state, 'max_tool_calls', finals) : undefined
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

/** Takes a last turn without tools, so that the model's findings are not lost. */
async function takeFinalTurn(state: LoopState, reason: EndReason, number: number): Promise<RunEnd> {
  if (state.options.finalizeOnLimit === false || reason === 'budget')
    return endWith(state, reason, LIMIT_MESSAGES[reason]!(state))
  const why = LIMIT_MESSAGES[reason]!(state)
  const note = `${why} You can no longer call tools. Answer now with what you have found, and say what is missing.`
  const key: TurnKey = { type: 'turn', turn: number, final: true }
  const isCounted = state.steps.has(key)
  const question: Message = { role: 'user', content: note }
  // A copy: only ordinary turns may shorten the run's own history.
  const turn = await takeTurn(state, {
    key,
    withTools: false,
    holder: { messages: [...state.messages, question] },
  })
  state.finalMessages = [question, messageFrom(state, turn)]
  state.hadFinalTurn = true
  if (callsOf(turn).length > 0) await skipCalls(state, key, 0, `It was not run: ${why}`)
  const { usage } = state
  addTurnTotals(state, turn)
  // The usage of a recorded turn is included from the start.
  if (isCounted) state.usage = usage
  return endWith(state, reason, why)
}

function endWith({ text, usage }: LoopState, reason: EndReason, error: string): RunEnd {
  return { reason, text, usage, error }
}

const LIMIT_MESSAGES: Partial<Record<EndReason, (state: LoopState) => string>> = {
  max_iterations: ({ limits }) => `The limit of ${limits.maxIterations} turns was reached.`,
  max_tool_calls: ({ limits }) => `The limit of ${limits.maxToolCalls} tool calls was reached.`,
  loop: () => 'The same calls were repeated too often.',
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
