import { JournalError, type RunLog } from '../journal/journal.ts'
import { createTokenCounter } from '../model/token-counter.ts'
import { memoryJournal } from '../journal/memory-journal.ts'
import { noUsage } from '../model/usage.ts'
import { createRegistry } from '../registry/create-registry.ts'
import type { Registry } from '../registry/registry.ts'
import { yieldToOthers } from '../time/yield-to-others.ts'
import { endOfError } from './loop/end-of-error.ts'
import type { RunEventBody, RunEvent } from './event.ts'
import { type RunEnd, readHistory } from './resume/history.ts'
import { defaultLimits } from '../limits.ts'
import { loop } from './loop/loop.ts'
import { noFileSystem } from './no-file-system.ts'
import type { RunOptions } from './options.ts'
import { permissionsFor } from './approval/permissions-for.ts'
import { EventQueue } from './loop/event-queue.ts'
import { Repeats } from './calls/repeats.ts'
import { RunTools } from './calls/run-tools.ts'
import { chooseCallFormat } from './turn/call-format.ts'
import type { LoopState } from './loop/loop-state.ts'
import type { AnyTool } from '../tool/any-tool.ts'
import { timeLimit } from '../time/time-limit.ts'
import { createSteps } from './resume/steps.ts'
import { startOrResume } from './resume/start-or-resume.ts'

/**
 * Asks a model, runs the tools it calls and returns the results to it, until there is an answer. Yields an event for
 * everything that happens; the last one has the reason why the run ended. A run that the journal has is resumed: nothing
 * in it is done twice.
 */
export async function* run(options: RunOptions): AsyncGenerator<RunEvent, void> {
  const id = options.id ?? `run-${crypto.randomUUID()}`
  const stop = new AbortController()
  const queue = new EventQueue<RunEventBody>()
  let seq = 0
  const event = (body: RunEventBody): RunEvent => ({
    ...body,
    run: id,
    seq: seq++,
    time: Date.now(),
  })
  const work = executeRun(id, options, stop.signal, queue.push)
  const events = queue.during(work)
  try {
    let next = await events.next()
    for (; !next.done; next = await events.next()) for (const body of next.value) yield event(body)
    // Stops calls that run in parallel with the one that ended the run.
    stop.abort()
    yield event({ type: 'run-end', ...next.value })
  } finally {
    // A consumer that stops reading stops the run.
    stop.abort()
    await work.catch(() => {})
  }
}

async function executeRun(
  id: string,
  options: RunOptions,
  abandoned: AbortSignal,
  emit: (event: RunEventBody) => void,
): Promise<RunEnd> {
  // Many runs may be started at once.
  await yieldToOthers()
  const { journal = memoryJournal(), signal: cancelled } = options
  const registry = toRegistry(options.tools)
  const { resolved } = registry
  const limits = { ...defaultLimits, ...resolved.limits, ...options.limits }
  const permissions = permissionsFor(options, registry)
  for (const message of registry.notes()) emit({ type: 'warning', code: 'configuration', message })
  let log: RunLog
  try {
    log = await journal.open(id)
  } catch (error) {
    if (!(error instanceof JournalError)) throw error
    return { reason: 'storage', text: '', usage: noUsage, error: error.message }
  }
  const deadline = timeLimit(limits.runTimeout)
  const outcomes: LoopState['outcomes'] = new Map()
  const state: LoopState = {
    id,
    options,
    model: options.model,
    limits,
    tools: new RunTools(registry, (call) => outcomes.get(call)?.text),
    counter: createTokenCounter(options.model),
    format: chooseCallFormat(options.model, options.protocol ?? resolved.protocol),
    fileSystem: options.fileSystem ?? noFileSystem,
    parallel: resolved.parallel,
    steps: createSteps(log),
    signal: AbortSignal.any(
      [abandoned, cancelled, deadline.signal].filter((each) => each !== undefined),
    ),
    emit,
    repeats: new Repeats(),
    permissions,
    pendingQuestion: Promise.resolve(),
    messages: [],
    outcomes,
    untrustedTexts: [],
    todos: [],
    toolCalls: 0,
    usage: noUsage,
    text: '',
    abandonedTurns: 0,
  }
  try {
    const history = readHistory(log.before)
    const plan = await startOrResume(state, history)
    if ('reason' in plan) return plan
    const end = await loop(state, plan)
    return await state.steps.step(`end/${history.ends.length}`, async () => end)
  } catch (error) {
    const end = endOfError(error, state, deadline.signal)
    // If recording failed before, it would fail again.
    if (end.reason !== 'storage')
      await state.steps
        .step(`end/${readHistory(log.before).ends.length}`, async () => end)
        .catch(() => {})
    return end
  } finally {
    deadline.end()
    await log.close()
  }
}

function toRegistry(tools: RunOptions['tools'] = []): Registry {
  if ('definitions' in tools) return tools
  return createRegistry([...(tools instanceof Map ? tools.values() : (tools as Iterable<AnyTool>))])
}
