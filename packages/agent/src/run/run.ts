// Folder: The run: its loop, turns, calls, approvals and resuming.
import type { Permissions } from '@toolglot/permissions'
import type { CloseRunOptions } from '../journal/journal.ts'
import { printKey } from '../journal/keys.ts'
import { defaultLimits, type Limits, maxResultFor } from '../limits.ts'
import { registryOf } from '../registry/registry-of.ts'
import type { Registry } from '../registry/registry.ts'
import { timeLimit } from '../time/time-limit.ts'
import { addRules } from './approval/approve-call.ts'
import {
  checkRunRules,
  permissionsFor,
  runRulesFor,
  withoutAllowed,
  withRunRules,
} from './approval/run-rules.ts'
import { RunTools } from './calls/run-tools.ts'
import { checkRunOptions } from './check-options.ts'
import type { RunEvent } from './event.ts'
import { openInbox } from './loop/arrivals.ts'
import { endOfError, Paused } from './ends.ts'
import { LiveEvents } from './loop/live-events.ts'
import { loop } from './loop/loop.ts'
import { checkMessages, messagesOf } from './messages.ts'
import {
  dropsPrompt,
  type EndWithMessages,
  type OpenRun,
  openRun,
  promptError,
} from './open-run.ts'
import type { RunOptions } from './options.ts'
import {
  type History,
  openCalls,
  readHistory,
  type RecordedEnd,
  type RunEnd,
} from './resume/history.ts'
import { hasMoved, placeOf } from './resume/setup-changes.ts'
import { startOrResume } from './resume/start-or-resume.ts'
import { createSteps } from './resume/steps.ts'
import type { RunResult } from './run-result.ts'
import { type LoopState, newState, noFileSystem } from './state.ts'
import { traceRun } from './telemetry/spans.ts'
import { startTelemetry, type Telemetry } from './telemetry/telemetry.ts'
import { type CallFormat, chooseCallFormat, resumedFormat } from './turn/call-format.ts'
import { checkPrefill } from './turn/prefill.ts'
import { checkToolChoice } from './turn/request-options.ts'

/**
 * Requests replies from a model, runs the tools that it calls and returns the results to it, until
 * it answers. Yields an event for each step. The last event contains the reason why the run ended.
 * A run that exists in the journal is resumed without repeating any step. Invalid options throw
 * immediately.
 */
export function run(options: RunOptions): AsyncGenerator<RunEvent, RunResult> {
  const setup = setupOf(options)
  const id = options.id ?? `run-${crypto.randomUUID()}`
  const live = new LiveEvents(id)
  const abandoned = new AbortController()
  let began = 0
  return live.during({
    abandoned,
    async work() {
      began = performance.now()
      const opened = await openRun(id, options)
      const before = 'log' in opened ? opened.log.before : []
      return traceRun(setup.telemetry, { id, model: options.model, before }, async (telemetry) =>
        'log' in opened
          ? executeRun(opened, { ...setup, telemetry }, live, abandoned.signal)
          : opened,
      )
    },
    finish({ messages, ...end }) {
      const { calls, turns } = live.collector
      const duration = Math.round(performance.now() - began)
      return {
        last: [live.end ?? live.transient({ type: 'run-end', ...end })],
        result: { ...end, run: id, turns, calls, messages, duration },
      }
    },
  })
}

/** The parts of a run derived from its options alone. */
interface Setup {
  readonly registry: Registry
  readonly limits: Limits
  readonly permissions: Permissions
  readonly format: CallFormat
  readonly telemetry: Telemetry
}

function setupOf(options: RunOptions): Setup {
  checkRunOptions(options)
  // For a resumed or forked run, the journal may contain the messages.
  if (options.id === undefined && !options.fork) checkMessages(messagesOf(options))
  const registry = registryOf(options)
  const { resolved } = registry
  const { model, protocol = resolved.protocol, toolsIn, toolChoice, prefill } = options
  const format = chooseCallFormat(model, protocol, toolsIn)
  checkToolChoice(toolChoice, registry.definitions())
  checkPrefill(prefill, format, registry.definitions())
  const permissions = permissionsFor(options, registry)
  checkRunRules(permissions, options.given)
  return {
    registry,
    limits: {
      ...defaultLimits,
      maxResult: maxResultFor(model.contextTokens),
      ...resolved.limits,
      ...options.limits,
    },
    permissions,
    format,
    telemetry: startTelemetry(options.telemetry),
  }
}

async function executeRun(
  { log, options }: OpenRun,
  { registry, limits, permissions, format, telemetry }: Setup,
  { reader, emit, onAppend, unfinished }: LiveEvents,
  /** Aborted when the consumer stops reading the events. */
  abandoned: AbortSignal,
): Promise<EndWithMessages> {
  const { run: id } = log
  const { signal: cancelled } = options
  for (const record of log.before) reader.read(record)
  const history = readHistory(log.before)
  if (dropsPrompt(history, options)) {
    await log.close({ untouched: true })
    throw promptError(id, history)
  }
  const { fileSystem = noFileSystem } = options
  const tools = new RunTools(registry, {
    find: (call) => state.outcomes.get(call)?.text,
    maxResult: limits.maxResult,
  })
  const isElsewhere = hasMoved(history.setup, placeOf(fileSystem, tools.host()))
  const before = history.setup?.permissions?.given
  const runRules = runRulesFor(isElsewhere ? withoutAllowed(before) : before, options.given)
  const deadline = timeLimit(limits.runTimeout)
  const over = new AbortController()
  const inbox = openInbox(log, history, over.signal)
  const release = releaseOf(options.release, over.signal)
  const signals = [abandoned, cancelled, deadline.signal, inbox.stopped]
  const setting = {
    id,
    options,
    limits,
    tools,
    format: formatOf(options, registry, format, history),
    fileSystem,
    parallel: registry.resolved.parallel,
    steps: createSteps(log, onAppend),
    inbox,
    signal: AbortSignal.any(signals.filter((each) => each !== undefined)),
    release,
    telemetry,
    emit,
    permissions: withRunRules(permissions, runRules, fileSystem),
    runRules,
  }
  const state = newState(setting, history, openCalls(log.before))
  const withMessages = (end: RunEnd): EndWithMessages => ({
    ...end,
    messages: [...state.messages, ...state.finalMessages],
  })
  let closing: CloseRunOptions = {}
  try {
    const plan = await startOrResume(state, history, registry.notes())
    if ('end' in plan) {
      closing = { untouched: plan.end.problem === 'changed' }
      return withMessages(plan.end)
    }
    // Rules allowed by a person are in the records. In another folder, they would have a different
    // meaning.
    if (!isElsewhere) {
      addRules(state, history.rules)
      state.hosts = [...new Set(history.hosts)]
    }
    return withMessages(await loop(state, plan))
  } catch (error) {
    const failure = await state.steps.flush().catch((reason: unknown) => reason as Error)
    if (!failure && error instanceof Paused && !state.signal.aborted) {
      // The run cannot continue until there is an answer.
      if (error.why === 'suspended')
        closing = { continueAt: Math.min(...state.suspendedFor.values()) }
      return withMessages(pausedEnd(state, error))
    }
    const written = unfinished()
    const end = {
      ...endOfError(failure ?? error, state, deadline.signal),
      ...(written.trim() !== '' && { unfinished: written }),
    }
    // If recording has failed, another attempt would fail too.
    if (end.reason !== 'storage') await recordEnd(state, end, history.ends.length).catch(() => {})
    return withMessages(end)
  } finally {
    over.abort()
    deadline.end()
    // The end is known, so ignore errors. A run that could not be released becomes free when this
    // process ends.
    await log.close(closing).catch(() => {})
  }
}

/** The format of calls: the run's format so far, unless a protocol is selected. */
function formatOf(
  { model, protocol }: RunOptions,
  { resolved }: Registry,
  format: CallFormat,
  { setup }: History,
): CallFormat {
  const isNamed = protocol !== undefined || resolved.protocol !== undefined
  return isNamed ? format : resumedFormat(format, model, setup)
}

/** A signal that aborts with a pause when the run is released. */
function releaseOf(released: AbortSignal | undefined, over: AbortSignal): AbortSignal {
  const release = new AbortController()
  const pause = (): void => release.abort(new Paused('released'))
  if (released?.aborted) pause()
  else released?.addEventListener('abort', pause, { signal: over })
  return release.signal
}

/** The end of a paused run. It is not recorded, so the run can be continued. */
function pausedEnd({ text, usage, suspendedFor }: LoopState, { why, message }: Paused): RunEnd {
  const pending = why === 'suspended' && { pending: [...suspendedFor.keys()] }
  return { reason: 'interrupted', text, usage, error: message, ...pending }
}

/** Records an end caused by an error. Unread messages stay unread. */
async function recordEnd({ steps, calls }: LoopState, end: RunEnd, number: number): Promise<void> {
  const cancelled = calls.filter((key) => !steps.has(key)).map(printKey)
  await steps.step<RecordedEnd>({ type: 'end', number }, async () => ({
    ...end,
    ...(cancelled.length > 0 && { cancelled }),
  }))
  await steps.flush()
}
