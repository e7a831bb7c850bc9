import type { AssistantMessage } from '../../context/message.ts'
import { addUsage } from '../../model/spent.ts'
import { ModelError } from '../../model/model-error.ts'
import { askTurn } from '../turn/ask-turn.ts'
import { yieldToOthers } from '../../time/yield-to-others.ts'
import type { EndReason } from '../event.ts'
import type { RunEnd } from '../resume/history.ts'
import { keepInContext, shortenAfterOverflow } from './keep-in-context.ts'
import { Repeats } from '../calls/repeats.ts'
import type { LoopState } from './loop-state.ts'
import type { RunPlan } from '../resume/start-or-resume.ts'
import { callsOf, isEmptyTurn, malformedOf, assistantMessage, visibleText, type Turn } from '../turn/turn.ts'
import { runTurnCalls } from '../calls/run-turn-calls.ts'

/** Turn after turn, until there is an answer or a limit. */
export async function loop(state: LoopState, { messages, inputs, ends }: RunPlan): Promise<RunEnd> {
  const { limits, options, signal } = state
  let began = 0
  let malformed = 0
  let empty = 0
  state.messages = messages
  for (const message of messages)
    if (message.role === 'results') state.untrustedTexts.push(...message.results.map(({ output }) => output))

  for (let index = 0; ; index++) {
    await yieldToOthers()
    signal.throwIfAborted()
    const inputsNow = inputs.filter(({ turn }) => turn === index)
    for (const { message, said: before } of inputsNow) {
      if (before !== undefined) add(state, { role: 'assistant', content: before })
      add(state, message)
    }
    if (inputsNow.length > 0) {
      ;[began, malformed, empty, state.toolCalls] = [index, 0, 0, 0]
      state.repeats = new Repeats()
    }
    // Whatever ended it here, a person has said something since.
    const goesOn = inputs.some(({ turn }) => turn > index)
    if (index - began >= limits.maxIterations && !goesOn)
      return finish(state, 'max_iterations', ends)
    if (isSpent(state) && !goesOn) return finish(state, 'budget', ends)
    await keepInContext(state, index)

    const turn = await askShorter(state, index)
    took(state, turn)
    const unread = malformedOf(turn).length
    if (isEmptyTurn(turn)) {
      if (++empty > limits.maxEmpty && !goesOn) throw nothing(state, empty)
      add(state, said(state, turn), { role: 'user', content: NUDGE })
      continue
    }
    empty = 0
    if (callsOf(turn).length === 0 && (unread === 0 || options.onMalformed === 'text')) {
      add(state, said(state, turn))
      if (goesOn) continue
      if (turn.content.length >= limits.maxReply) throw endless(state)
      return { reason: 'answer', text: state.text, usage: state.usage }
    }
    if (unread > 0 && options.onMalformed === 'fail' && !goesOn)
      return stopped(state, 'malformed', malformedOf(turn)[0]!.hint)

    const results = await runTurnCalls(state, turn, index)
    signal.throwIfAborted()
    add(state, said(state, turn), results.message)
    malformed = results.unreadable > 0 ? malformed + 1 : 0
    if (goesOn) continue
    if (malformed >= limits.maxMalformed)
      return stopped(state, 'malformed', results.message.results.at(-1)!.output)
    if (results.repeats >= limits.maxRepeats) return finish(state, 'loop', ends)
    if (results.exhausted) return finish(state, 'max_tool_calls', ends)
  }
}

/** A turn; where the model cannot see all that was said, once more with less of it. */
async function askShorter(state: LoopState, index: number): Promise<Turn> {
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

function said({ format }: LoopState, turn: Turn): AssistantMessage {
  return assistantMessage(turn, format.protocol?.id)
}

function took(state: LoopState, turn: Turn): void {
  state.usage = addUsage(state.usage, turn.usage)
  const text = visibleText(turn).trim()
  if (text !== '') state.text = text
}

function isSpent({ usage, limits: { maxTokens = Infinity, maxCost = Infinity } }: LoopState): boolean {
  return usage.input + usage.output >= maxTokens || (usage.cost ?? 0) >= maxCost
}

/** One last turn without tools, so that what was found out is not lost. */
async function finish(state: LoopState, reason: EndReason, ends: number): Promise<RunEnd> {
  if (state.options.finalizeOnLimit === false || reason === 'budget')
    return stopped(state, reason, WHY[reason]!(state))
  const note = `${WHY[reason]!(state)} You cannot call tools any more. Answer now with what you have found out, and say what is left open.`
  const turn = await askTurn(state, [...state.messages, { role: 'user', content: note }], {
    key: `final/${ends}`,
    turn: -1,
    withTools: false,
  })
  took(state, turn)
  return stopped(state, reason, WHY[reason]!(state))
}

function stopped({ text, usage }: LoopState, reason: EndReason, error: string): RunEnd {
  return { reason, text, usage, error }
}

const WHY: Partial<Record<EndReason, (state: LoopState) => string>> = {
  max_iterations: ({ limits }) => `The limit of ${limits.maxIterations} turns is reached.`,
  max_tool_calls: ({ limits }) => `The limit of ${limits.maxToolCalls} tool calls is reached.`,
  loop: () => 'The same calls were made over and over.',
  budget: () => 'The tokens or the money that the run may spend are spent.',
}

const NUDGE = 'Your reply was empty. Call a tool, or answer.'

function endless({ model, limits }: LoopState): ModelError {
  return new ModelError(
    'too_long',
    `${model.name} did not stop talking: its reply was cut off after ${limits.maxReply} characters.`,
  )
}

function nothing({ model }: LoopState, times: number): ModelError {
  return new ModelError(
    'garbled',
    `${model.name} gave an empty reply ${times} times in a row. Try another protocol or model.`,
  )
}
