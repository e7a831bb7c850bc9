import {
  collect,
  type Message,
  type Model,
  ModelError,
  turn,
  type TurnResult,
} from '@toolglot/agent'
import type { Protocol } from '@toolglot/core'
import { callProblem } from '../try-model.ts'
import type { TaskResult } from './score.ts'
import type { ProbeTask } from './tasks.ts'

/** The dialect and options for requests. */
export interface Asking {
  readonly protocol: Protocol | 'native'
  /** True if the model's chat template describes the tools in this dialect. */
  readonly isDrawn: boolean
  /** The maximum time for a reply, in milliseconds. */
  readonly replyTimeout: number
  /** Temperature 0 makes replies reproducible, but some models reject it. */
  temperature: 0 | undefined
  readonly signal: AbortSignal
}

/** Makes a model do a task in a dialect. Throws a ModelError if the model does not reply. */
export async function tryTask(model: Model, task: ProbeTask, asking: Asking): Promise<TaskResult> {
  const began = performance.now()
  const messages: Message[] = [{ role: 'user', content: task.prompt }]
  const first = await askOnce(model, task, messages, asking)
  let tokens = first.usage.output
  const { problem, called, repairs } = judge(first, task, asking.protocol)
  const [call] = first.message.calls ?? []
  const ended = (why: string | undefined): TaskResult => ({
    task: task.name,
    outcome: why !== undefined ? 'failed' : repairs.length > 0 ? 'repaired' : 'done',
    called,
    problem: why,
    repairs,
    duration: Math.round(performance.now() - began),
    tokens,
  })
  if (problem !== undefined || !task.answer || !call) return ended(problem)
  const { result, isUsedIn } = task.answer
  messages.push(first.message, { role: 'results', results: [{ call, output: result }] })
  const answer = await askOnce(model, task, messages, asking)
  tokens += answer.usage.output
  if (answer.calls.length > 0) return ended('called a tool again instead of an answer')
  return ended(isUsedIn(answer.text) ? undefined : 'the answer does not use the result')
}

async function askOnce(
  model: Model,
  { tool }: ProbeTask,
  messages: readonly Message[],
  asking: Asking,
): Promise<TurnResult> {
  const { protocol, isDrawn, replyTimeout, temperature, signal } = asking
  const { probed: _, ...unprobed } = model
  const ask = (degree: 0 | undefined): Promise<TurnResult> =>
    collect(
      turn({
        model: unprobed,
        messages,
        tools: [tool],
        protocol,
        ...(protocol !== 'native' && { toolsIn: isDrawn ? 'request' : 'prompt' }),
        temperature: degree,
        maxOutputTokens: MAX_TOKENS,
        limits: {
          modelTimeout: replyTimeout,
          // Long enough that the whole reply times out first: an idle model would get a second
          // request.
          idleTimeout: 2 * replyTimeout,
          // A failed reply is a result, so do not retry.
          maxRetries: 0,
          maxReply: MAX_CHARACTERS,
        },
        signal,
      }),
    )
  try {
    return await ask(temperature)
  } catch (error) {
    const isRefused = error instanceof ModelError && error.problem === 'refused'
    if (!isRefused || temperature === undefined) throw error
    const reply = await ask(undefined)
    // The temperature caused the failure.
    asking.temperature = undefined
    return reply
  }
}

/** Enough for reasoning, but limited in case a model rambles. */
const MAX_TOKENS = 2048
const MAX_CHARACTERS = 32_000

function judge(
  { calls, malformed, text, finish }: TurnResult,
  { expected }: ProbeTask,
  protocol: Protocol | 'native',
): Pick<TaskResult, 'problem' | 'called' | 'repairs'> {
  const call = calls.find(({ name }) => name === expected.name) ?? calls[0]
  if (!call) {
    const cut = finish === 'length' ? 'its reply was cut off before a call' : 'no call'
    const problem = malformed[0] ? `the call cannot be read: ${malformed[0].problem}` : cut
    return { problem, called: false, repairs: [] }
  }
  const asked = protocol === 'native' ? undefined : protocol
  const problem =
    callProblem(call, expected, { text, protocol: asked }) ??
    (protocol === 'native' && call.protocol !== protocol
      ? 'wrote the call as text, not by function calling'
      : undefined) ??
    (calls.length > 1 ? `called ${calls.length} times instead of once` : undefined)
  return {
    problem,
    called: call.name === expected.name,
    repairs: call.repairs,
  }
}
