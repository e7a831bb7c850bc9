import type { Message } from '../../context/message.ts'
import { describeChanges, type RunEnd, type History, type RunInput, type RunSetup } from './history.ts'
import type { EndReason } from '../event.ts'
import type { LoopState } from '../loop/loop-state.ts'
import { raceAbort } from '../../time/race-abort.ts'

/** What a run has to do. */
export interface RunPlan {
  readonly messages: readonly Message[]
  /** What a person said later, in order. */
  readonly inputs: readonly RunInput[]
  /** How often it ended before. */
  readonly ends: number
}

/** Sets a run up, or finds out how it goes on; gives its end where there is nothing to do. */
export async function startOrResume(state: LoopState, history: History): Promise<RunPlan | RunEnd> {
  const { options, steps, emit } = state
  const setup = setupOf(state)
  const { setup: before, ends, inputs } = history
  const untrusted = (options.untrusted ?? []).filter((text) => !history.untrusted.includes(text))
  const brought = untrusted.length > 0 ? { untrusted } : {}
  state.untrustedTexts.push(...history.untrusted, ...untrusted)
  emit({
    type: 'run-start',
    model: state.model.name,
    protocol: state.format.protocol?.id,
    resumed: before !== undefined,
  })
  if (!before) {
    if (setup.messages.every(({ role }) => role === 'system'))
      throw new TypeError('Expected a prompt, or messages with something that a user says.')
    await steps.step('run', async () => ({ ...setup, ...brought }))
    tellPrompts(state, setup.messages)
    return { messages: setup.messages, inputs, ends: 0 }
  }
  const changes = describeChanges(before, setup)
  if (changes.length > 0) {
    const said = `This is not the run as it was set up: ${changes.join('; ')}.`
    emit({ type: 'warning', code: 'changed', message: said })
    const isWanted = options.confirm && (await raceAbort(options.confirm(changes), state.signal))
    if (isWanted !== true) return { reason: 'denied', text: '', usage: state.usage, error: said }
    await steps.step(`run/${history.setups}`, async () => ({ ...setup, messages: before.messages }))
  }
  const last = ends.at(-1)
  const prompt = options.resume ? (options.prompt ?? goOn(history)) : undefined
  if (prompt === undefined) {
    if (last?.reason === 'answer' && !history.isOpen) return last
    return { messages: before.messages, inputs, ends: ends.length }
  }
  const input: RunInput = {
    message: { role: 'user', content: prompt },
    turn: history.turns,
    ...brought,
    ...(last && last.reason !== 'answer' && last.text !== '' && { said: last.text }),
  }
  // What was not done before somebody said something else is not done any more.
  state.abandonedTurns = history.turns
  await steps.step(`input/${inputs.length}`, async () => input)
  tellPrompts(state, [input.message])
  return { messages: before.messages, inputs: [...inputs, input], ends: ends.length }
}

/** Who goes on with a run that a limit ended has seen that end: it counts anew. */
function goOn({ ends, isOpen }: History): string | undefined {
  const last = ends.at(-1)
  return last && !isOpen && LIMITS.has(last.reason) ? 'Go on.' : undefined
}

const LIMITS: ReadonlySet<EndReason> = new Set([
  'max_iterations',
  'max_tool_calls',
  'malformed',
  'loop',
])

function tellPrompts({ emit }: LoopState, messages: readonly Message[]): void {
  for (const message of messages)
    if (message.role === 'user') emit({ type: 'prompt', content: message.content })
}

function setupOf({ options, model, format, tools, fileSystem }: LoopState): RunSetup {
  const { system, messages = [], prompt } = options
  return {
    model: model.name,
    protocol: format.protocol?.id ?? 'native',
    cwd: fileSystem.cwd,
    tools: tools.definitions(),
    messages: [
      ...(system === undefined ? [] : [{ role: 'system' as const, content: system }]),
      ...messages,
      ...(prompt === undefined ? [] : [{ role: 'user' as const, content: prompt }]),
    ],
  }
}
