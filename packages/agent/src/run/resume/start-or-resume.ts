import type { Message } from '../../context/message.ts'
import type { RunEnd, History, RunInput, RunSetup } from './history.ts'
import { describeChanges } from './setup-changes.ts'
import type { EndReason } from '../event.ts'
import type { LoopState } from '../loop/loop-state.ts'
import { unlessAborted } from '../../time/unless-aborted.ts'

/** What a run starts with. */
export interface RunPlan {
  readonly messages: readonly Message[]
  /** The messages that a person added later, in order. */
  readonly inputs: readonly RunInput[]
  /** How many times it has ended before. */
  readonly ends: number
}

/** Sets up a new run, or finds out where to resume one; returns its end if there is nothing to do. */
export async function startOrResume(state: LoopState, history: History): Promise<RunPlan | RunEnd> {
  const { options, steps, emit } = state
  const setup = setupOf(state)
  const { setup: before, ends, inputs } = history
  const untrusted = (options.untrusted ?? []).filter((text) => !history.untrusted.includes(text))
  const recordedUntrusted = untrusted.length > 0 ? { untrusted } : {}
  state.untrustedTexts.push(...history.untrusted, ...untrusted)
  emit({
    type: 'run-start',
    model: state.model.name,
    protocol: state.format.protocol?.id,
    resumed: before !== undefined,
  })
  if (!before) {
    if (setup.messages.every(({ role }) => role === 'system'))
      throw new TypeError('Expected a prompt, or messages that include a user message.')
    await steps.step('run', async () => ({ ...setup, ...recordedUntrusted }))
    emitPrompts(state, setup.messages)
    return { messages: setup.messages, inputs, ends: 0 }
  }
  const changes = describeChanges(before, setup)
  if (changes.length > 0) {
    const message = `The setup of the run has changed: ${changes.join('; ')}.`
    emit({ type: 'warning', code: 'changed', message })
    const isConfirmed =
      options.confirm && (await unlessAborted(state.signal, options.confirm(changes)))
    if (isConfirmed !== true)
      return { reason: 'denied', text: '', usage: state.usage, error: message }
    await steps.step(`run/${history.setups}`, async () => ({ ...setup, messages: before.messages }))
  }
  const last = ends.at(-1)
  const prompt = options.resume ? (options.prompt ?? promptAfterLimit(history)) : undefined
  if (prompt === undefined) {
    if (last?.reason === 'answer' && !history.isOpen) return last
    return { messages: before.messages, inputs, ends: ends.length }
  }
  const input: RunInput = {
    message: { role: 'user', content: prompt },
    turn: history.turns,
    ...recordedUntrusted,
    ...(last && last.reason !== 'answer' && last.text !== '' && { said: last.text }),
  }
  // Calls that did not run before the new message are not run.
  state.abandonedTurns = history.turns
  await steps.step(`input/${inputs.length}`, async () => input)
  emitPrompts(state, [input.message])
  return { messages: before.messages, inputs: [...inputs, input], ends: ends.length }
}

/** Resuming a run that a limit ended needs a prompt, with which the limits start over. */
function promptAfterLimit({ ends, isOpen }: History): string | undefined {
  const last = ends.at(-1)
  return last && !isOpen && LIMITS.has(last.reason) ? 'Continue.' : undefined
}

const LIMITS: ReadonlySet<EndReason> = new Set([
  'max_iterations',
  'max_tool_calls',
  'malformed',
  'loop',
])

function emitPrompts({ emit }: LoopState, messages: readonly Message[]): void {
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
