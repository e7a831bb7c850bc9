import type { Permissions, Rule } from '@toolglot/permissions'
import type { Message } from '../../context/message.ts'
import { type EndReason, type RecordedPermissions, runStart } from '../event.ts'
import { withoutUndefined } from '../../options/without-undefined.ts'
import { checkMessages, messagesOf } from '../messages.ts'
import type { Limits } from '../../limits.ts'
import type { LoopState } from '../state.ts'
import { printTraceParent } from '../telemetry/telemetry.ts'
import {
  type History,
  isInput,
  type RunEnd,
  type RunInput,
  type RunSetup,
  saidBefore,
} from './history.ts'
import { confirmChanges, describeChanges, placeOf } from './setup-changes.ts'

/** The conversation at the start of a run. */
export interface RunPlan {
  readonly messages: readonly Message[]
  /** The number of earlier ends. */
  readonly ends: number
  /** For each last turn without tools: the number of turns before it. */
  readonly finals: readonly number[]
}

/** A run that does not continue, with its previous end. */
interface NothingToDo {
  readonly end: RunEnd
}

/** Sets up a new run, or determines where to resume an existing one. */
export async function startOrResume(
  state: LoopState,
  history: History,
  warnings: readonly string[],
): Promise<RunPlan | NothingToDo> {
  const { options, steps, emit } = state
  const { setup: before, ends, finals } = history
  const setup = setupOf(state, warnings)
  const untrusted = (options.untrusted ?? []).filter((text) => !history.untrusted.includes(text))
  const recordedUntrusted = untrusted.length > 0 ? { untrusted } : {}
  state.untrustedTexts.push(...history.untrusted, ...untrusted)
  if (!before) {
    checkMessages(setup.messages)
    const span = printTraceParent(state.telemetry.parent)
    const trace = span === undefined ? {} : { trace: span }
    await steps.step({ type: 'setup', number: 0 }, async () => ({
      ...setup,
      ...recordedUntrusted,
      ...trace,
    }))
    return { messages: setup.messages, ends: 0, finals: [] }
  }
  const { messages } = before
  const last = ends.at(-1)
  const isOver = last !== undefined && !history.isOpen
  const isFinal = isOver && (last.reason === 'answer' || history.isStopped)
  const prompt = options.resume ? (options.prompt ?? promptAfterEnd(history)) : undefined
  emit(runStart(setup, true))
  if (isFinal && prompt === undefined && !(history.isStopped && options.resume))
    return { end: last }
  const changes = describeChanges(before, setup)
  const isChanged = changes.length > 0
  if (isChanged && !options.fork) {
    const error = `The setup of the run has changed: ${changes.join('; ')}.`
    emit({ type: 'warning', code: 'changed', message: error })
    if (!(await confirmChanges(state, changes)))
      return {
        end: { reason: 'denied', text: '', usage: state.usage, error, problem: 'changed' },
      }
  }
  // Record new rules, so that they apply to every process that continues the run.
  if (isChanged || ownConditions(before) !== ownConditions(setup))
    await steps.step({ type: 'setup', number: history.setups }, async () => ({
      ...setup,
      messages,
    }))
  // This record reopens the run. A prompt has the same effect.
  else if (isOver && prompt === undefined)
    await steps.step({ type: 'resume', number: ends.length }, async () => ({
      ...setup,
      messages: [],
    }))
  await state.tools.resume(state.id, history.remembered)
  if (prompt === undefined) return { messages, ends: ends.length, finals }
  const input: RunInput = {
    message: { role: 'user', content: prompt },
    turn: history.turns,
    ...recordedUntrusted,
    ...saidBefore(last),
  }
  // Calls from before the new message that have not run yet will not run.
  state.abandonedTurns = history.turns
  await recordInput(state, input)
  return { messages, ends: ends.length, finals }
}

/** Records a message that the run has received. */
export async function recordInput({ steps, arrivals }: LoopState, input: RunInput): Promise<void> {
  const number = arrivals.filter(isInput).length
  await steps.step({ type: 'input', number }, async () => input)
  arrivals.push(input)
}

/** The conditions of a run that do not come from settings, as text to compare. */
function ownConditions({ limits, permissions, modelNamedBy }: RunSetup): string {
  return JSON.stringify([limits, permissions?.given, modelNamedBy])
}

/**
 * The prompt for resuming a run that ended in the middle of a reply, or at a limit, which is reset.
 */
function promptAfterEnd({ ends, isOpen }: History): string | undefined {
  const last = ends.at(-1)
  if (!last || isOpen) return undefined
  if (last.unfinished !== undefined) return CUT_OFF
  return LIMITS.has(last.reason) ? 'Continue.' : undefined
}

const CUT_OFF =
  'Your last reply was cut off. Continue it exactly where it stopped, without repeating anything.'

const LIMITS: ReadonlySet<EndReason> = new Set([
  'max_iterations',
  'max_tool_calls',
  'malformed',
  'loop',
])

function setupOf(
  { options, model, format, tools, fileSystem, limits, permissions, runRules }: LoopState,
  warnings: readonly string[],
): RunSetup {
  const { owner, version } = options
  const { reference, namedBy, contextTokens } = model
  return {
    model: model.name,
    ...(reference !== undefined && { modelReference: reference }),
    ...(namedBy !== undefined && { modelNamedBy: namedBy }),
    ...(contextTokens !== undefined && { contextTokens }),
    protocol: format.protocol?.id ?? 'native',
    ...placeOf(fileSystem, tools.host()),
    ...(owner !== undefined && { owner }),
    ...(version !== undefined && { version }),
    // Leave out undefined limits, which a replay does not have either.
    limits: withoutUndefined(limits) as Limits,
    permissions: { ...printPermissions(permissions), ...(runRules && { given: runRules }) },
    tools: tools.definitions(),
    ...(warnings.length > 0 && { warnings }),
    messages: messagesOf(options),
  }
}

function printPermissions({ rules, mode }: Permissions): RecordedPermissions {
  const texts = (verdict: Rule['verdict']): string[] =>
    rules.filter((rule) => rule.verdict === verdict).map(({ text }) => text)
  return { ...(mode && { mode }), allow: texts('allow'), ask: texts('ask'), deny: texts('deny') }
}
