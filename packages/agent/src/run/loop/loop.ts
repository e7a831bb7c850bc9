import type { AssistantMessage } from '../../context/message.ts'
import { addUsage } from '../../model/usage.ts'
import { ModelError } from '../../model/model-error.ts'
import { askTurn } from '../turn/ask-turn.ts'
import { yieldToOthers } from '../../time/yield-to-others.ts'
import type { EndReason } from '../event.ts'
import type { RunEnd } from '../resume/history.ts'
import { keepInContext, shortenAfterOverflow } from './keep-in-context.ts'
import { Repeats } from '../calls/repeats.ts'
import type { LoopState } from './loop-state.ts'
import type { RunPlan } from '../resume/start-or-resume.ts'
import {
  callsOf,
  isEmptyTurn,
  malformedOf,
  assistantMessage,
  visibleText,
  type Turn,
} from '../turn/turn.ts'
import { runTurnCalls } from '../calls/run-turn-calls.ts'

/** Takes one turn after another, until there is an answer or a limit is reached. */
export async function loop(state: LoopState, { messages, inputs, ends }: RunPlan): Promise<RunEnd> {
  const { limits, options, signal } = state
  let firstTurn = 0
  let malformed = 0
  let empty = 0
  state.messages = messages
  for (const message of messages)
    if (message.role === 'results')
      state.untrustedTexts.push(...message.results.map(({ output }) => output))

  for (let index = 0; ; index++) {
    await yieldToOthers()
    signal.throwIfAborted()
    const inputsNow = inputs.filter(({ turn }) => turn === index)
    for (const { message, said: lastText } of inputsNow) {
      if (lastText !== undefined) add(state, { role: 'assistant', content: lastText })
      add(state, message)
    }
    if (inputsNow.length > 0) {
      ;[firstTurn, malformed, empty, state.toolCalls] = [index, 0, 0, 0]
      state.repeats = new Repeats()
    }
    // A later message from a person continues the run, whatever ended it here.
    const continues = inputs.some(({ turn }) => turn > index)
    if (index - firstTurn >= limits.maxIterations && !continues)
      return askForFinalAnswer(state, 'max_iterations', ends)
    if (isOverBudget(state) && !continues) return askForFinalAnswer(state, 'budget', ends)
    await keepInContext(state, index)

    const turn = await askWithinContext(state, index)
    addTurnTotals(state, turn)
    const unreadable = malformedOf(turn).length
    if (isEmptyTurn(turn)) {
      if (++empty > limits.maxEmpty && !continues) throw emptyReplies(state, empty)
      add(state, messageFrom(state, turn), { role: 'user', content: EMPTY_REPLY_PROMPT })
      continue
    }
    empty = 0
    if (callsOf(turn).length === 0 && (unreadable === 0 || options.onMalformed === 'text')) {
      add(state, messageFrom(state, turn))
      if (continues) continue
      if (turn.content.length >= limits.maxReply) throw endlessReply(state)
      return { reason: 'answer', text: state.text, usage: state.usage }
    }
    if (unreadable > 0 && options.onMalformed === 'fail' && !continues)
      return endWith(state, 'malformed', malformedOf(turn)[0]!.hint)

    const results = await runTurnCalls(state, turn, index)
    signal.throwIfAborted()
    add(state, messageFrom(state, turn), results.message)
    malformed = results.unreadable > 0 ? malformed + 1 : 0
    if (continues) continue
    if (malformed >= limits.maxMalformed)
      return endWith(state, 'malformed', results.message.results.at(-1)!.output)
    if (results.repeats >= limits.maxRepeats) return askForFinalAnswer(state, 'loop', ends)
    if (results.exhausted) return askForFinalAnswer(state, 'max_tool_calls', ends)
  }
}

/** Asks for a turn; if the context overflows, asks once more with a shorter history. */
async function askWithinContext(state: LoopState, index: number): Promise<Turn> {
  const options = { key: `turn/${index}`, turn: index, withTools: true }
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

function messageFrom({ format }: LoopState, turn: Turn): AssistantMessage {
  return assistantMessage(turn, format.protocol?.id)
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
  ends: number,
): Promise<RunEnd> {
  if (state.options.finalizeOnLimit === false || reason === 'budget')
    return endWith(state, reason, LIMIT_MESSAGES[reason]!(state))
  const note = `${LIMIT_MESSAGES[reason]!(state)} You can no longer call tools. Answer now with what you have found out, and say what remains open.`
  const turn = await askTurn(state, [...state.messages, { role: 'user', content: note }], {
    key: `final/${ends}`,
    turn: -1,
    withTools: false,
  })
  addTurnTotals(state, turn)
  return endWith(state, reason, LIMIT_MESSAGES[reason]!(state))
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
