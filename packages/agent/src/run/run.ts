import { JournalError, type RunLog } from '../journal/journal.ts'
import { createTokenCounter } from '../context/counter.ts'
import { memoryJournal } from '../journal/memory.ts'
import { noUsage } from '../model/spent.ts'
import { toRegistry } from '../registry/registry-of.ts'
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
import { timeLimit } from '../time/time-limit.ts'
import { createSteps } from './resume/steps.ts'
import { startOrResume } from './resume/start-or-resume.ts'

/**
 * Asks a model, runs the tools it calls and gives it the results, until there is an answer. Whatever happens is an event;
 * the last one says why the run ended. A run that the journal has is gone on with: nothing in it is done twice.
 */
export async function* run(options: RunOptions): AsyncGenerator<RunEvent, void> {
  const id = options.id ?? `run-${crypto.randomUUID()}`
  const stop = new AbortController()
  const queue = new EventQueue<RunEventBody>()
  let seq = 0
  const event = (happening: RunEventBody): RunEvent => ({
    ...happening,
    run: id,
    seq: seq++,
    time: Date.now(),
  })
  const work = drive(id, options, stop.signal, queue.push)
  const events = queue.during(work)
  try {
    let next = await events.next()
    for (; !next.done; next = await events.next())
      for (const happening of next.value) yield event(happening)
    // A call beside one that ended the run is not left behind.
    stop.abort()
    yield event({ type: 'run-end', ...next.value })
  } finally {
    // Whoever stops reading stops the run.
    stop.abort()
    await work.catch(() => {})
  }
}

async function drive(
  id: string,
  options: RunOptions,
  left: AbortSignal,
  emit: (event: RunEventBody) => void,
): Promise<RunEnd> {
  // Many may be started at once.
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
  const late = timeLimit(limits.runTimeout)
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
    signal: AbortSignal.any([left, cancelled, late.signal].filter((each) => each !== undefined)),
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
    const end = endOfError(error, state, late.signal)
    // What could not be recorded is not recorded now either.
    if (end.reason !== 'storage')
      await state.steps
        .step(`end/${readHistory(log.before).ends.length}`, async () => end)
        .catch(() => {})
    return end
  } finally {
    late.end()
    await log.close()
  }
}
