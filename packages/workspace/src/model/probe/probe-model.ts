import { type Model, ModelError } from '@toolglot/agent'
import { timeLimit } from '@toolglot/agent/internal'
import { type Protocol, protocols } from '@toolglot/core'
import { chooseCallFormat } from '@toolglot/agent/adapter/internal'
import { type ProbedProtocol, type TaskResult, bestOf } from './score.ts'
import { type ProbeTask, probeTasks } from './tasks.ts'
import { type Asking, tryTask } from './try-task.ts'
import { changeUserSettings } from '../../settings/user-settings.ts'
import type { UserDirectories } from '../../user-directories.ts'

/** How a model is probed. */
export interface ProbeOptions {
  /** The dialects to try. Default: the model's own, its function calling, and some that most models manage. */
  readonly protocols?: readonly (Protocol | 'native')[] | undefined
  /** Default: three small ones. */
  readonly tasks?: readonly ProbeTask[] | undefined
  readonly signal?: AbortSignal | undefined
  /** How long one reply may take, in milliseconds. Default: a minute. */
  readonly replyTimeout?: number | undefined
  /** How long all of it may take, in milliseconds. Default: ten minutes. */
  readonly timeout?: number | undefined
  /** Called before each dialect, and with each result. */
  readonly onProgress?: ((progress: ProbeProgress) => void) | undefined
}

/** How far a probe is. */
export interface ProbeProgress {
  /** The id of the protocol that is tried, or `native`. */
  readonly protocol: string
  /** Its number, from 1. */
  readonly number: number
  /** How many are tried. */
  readonly total: number
  /** How the model did, once that is known. */
  readonly result?: ProbedProtocol
}

/** How well a model speaks several dialects. */
export interface ModelProbe {
  /** In the order in which they were tried. */
  readonly tried: readonly ProbedProtocol[]
  /** The one it speaks best: the id of a protocol, or `native`. Undefined if it called no tool as asked in any. */
  readonly best?: string
  /** Why not everything was tried, if so: the time was over, the model did not reply, or it failed. */
  readonly stopped?: 'time' | 'silent' | 'failed'
  /** How it failed. */
  readonly problem?: string
  /** In milliseconds. */
  readonly duration: number
}

/**
 * Asks a model to do small tasks in several dialects, one after the other, to find the one it speaks best. Throws a ModelError
 * if it cannot be asked at all, and the reason of the signal if that aborts.
 */
export async function probeModel(model: Model, options: ProbeOptions = {}): Promise<ModelProbe> {
  const { tasks = probeTasks, signal, replyTimeout = 60_000, timeout = 600_000 } = options
  const dialects = options.protocols ?? dialectsFor(model)
  const own = ownDialect(model)
  const began = performance.now()
  const limit = timeLimit(timeout, signal)
  const tried: ProbedProtocol[] = []
  const state: ProbeState = { silences: 0, temperature: 0 }
  try {
    for (const [at, protocol] of dialects.entries()) {
      const id = idOf(protocol)
      const progress = { protocol: id, number: at + 1, total: dialects.length }
      options.onProgress?.(progress)
      const isOwn = own !== undefined && idOf(own) === id
      const asking: Asking = {
        protocol,
        isDrawn: isOwn && model.drawsTools === true,
        replyTimeout,
        temperature: state.temperature,
        signal: limit.signal,
      }
      const results = await tryTasks(model, tasks, asking, state).catch((error: unknown) => {
        // Earlier findings count.
        if (!(error instanceof ModelError) || !bestOf(tried)) throw error
        state.problem = error.message
      })
      signal?.throwIfAborted()
      if (!results) break
      const result = { protocol: id, isOwn, tasks: results }
      tried.push(result)
      options.onProgress?.({ ...progress, result })
      if (state.silences >= MAX_SILENCES || limit.signal.aborted) break
    }
  } finally {
    limit.end()
  }
  const best = bestOf(tried)
  const { problem, silences } = state
  const stopped = limit.signal.aborted
    ? 'time'
    : problem !== undefined
      ? 'failed'
      : silences >= MAX_SILENCES && 'silent'
  return {
    tried,
    best: best?.protocol,
    stopped: stopped || undefined,
    problem,
    duration: Math.round(performance.now() - began),
  }
}

/** The facts learned about a model on the way. */
interface ProbeState {
  /** How many times in a row it did not reply in time. */
  silences: number
  temperature: 0 | undefined
  /** Why it cannot be asked any more. */
  problem?: string
}

const MAX_SILENCES = 2

/** Tries the tasks in one dialect. If not even a wrong call comes of the first, the harder ones are not worth the time. */
async function tryTasks(
  model: Model,
  tasks: readonly ProbeTask[],
  asking: Asking,
  state: ProbeState,
): Promise<readonly TaskResult[]> {
  const results: TaskResult[] = []
  let silences = state.silences
  for (const task of tasks) {
    const isSilent = state.silences > silences
    if (results[0]?.called === false || isSilent || asking.signal.aborted) {
      results.push(nothing(task, 'skipped', 'not asked'))
      continue
    }
    const began = performance.now()
    try {
      results.push(await tryTask(model, task, asking))
      state.silences = silences = 0
      state.temperature = asking.temperature
    } catch (error) {
      const problem = problemOf(error, asking, state)
      results.push(nothing(task, 'failed', problem, performance.now() - began))
    }
  }
  return results
}

/** Why a task failed, if another dialect may do better; otherwise throws. */
function problemOf(error: unknown, { protocol, signal }: Asking, state: ProbeState): string {
  if (signal.aborted) return 'the time was over'
  if (!(error instanceof ModelError)) throw error
  const { problem, message } = error
  if (SILENCE.includes(problem)) {
    state.silences++
    return 'no reply in time'
  }
  // A server that has no function calling may reject the tools.
  const isAboutDialect = OWN_FAULTS.includes(problem) || (protocol === 'native' && isRefusal(error))
  if (!isAboutDialect) throw error
  return message
}

function isRefusal({ problem }: ModelError): boolean {
  return problem === 'refused' || problem === 'unavailable'
}

const SILENCE: readonly ModelError['problem'][] = ['idle', 'timeout']

/** The errors that a model's own reply can cause. */
const OWN_FAULTS: readonly ModelError['problem'][] = [
  'garbled',
  'cut_off',
  'too_long',
  'context_overflow',
]

function nothing(
  { name }: ProbeTask,
  outcome: 'failed' | 'skipped',
  problem: string,
  duration = 0,
): TaskResult {
  return {
    task: name,
    outcome,
    called: false,
    problem,
    repairs: [],
    duration: Math.round(duration),
    tokens: 0,
  }
}

/**
 * Dialects that models manage although they were not trained on them, each with another weakness: tags and JSON, which most
 * models have seen; the same with a longer explanation; tags whose text needs no escapes; JSON alone, for models that always
 * write JSON; a Python call, for those that rather write code.
 */
const STURDY: readonly Protocol[] = [
  protocols.hermes,
  protocols['tool-call'],
  protocols['tool-xml'],
  protocols['generic-json'],
  protocols.pythonic,
]

/** The protocol requested from a model without a probe; undefined if that is a guess. */
function ownDialect(model: Model): Protocol | 'native' | undefined {
  const { probed: _, ...unprobed } = model
  const { protocol, guessed } = chooseCallFormat(unprobed, undefined)
  return guessed ? undefined : (protocol ?? 'native')
}

/** The dialects worth trying with a model: its own first, function calling if there is any, and sturdy ones. */
export function dialectsFor(
  model: Model,
  { native = model.native ?? false }: { readonly native?: boolean | undefined } = {},
): readonly (Protocol | 'native')[] {
  const own = ownDialect(model)
  const all = [...(own ? [own] : []), ...(native ? ['native' as const] : []), ...STURDY]
  return all.filter((each, at) => all.findIndex((other) => idOf(other) === idOf(each)) === at)
}

/** The id of a protocol, or `native`. */
function idOf(dialect: Protocol | 'native'): string {
  return dialect === 'native' ? dialect : dialect.id
}

/** Saves how a model writes calls best, in a person's own settings. Returns the file; throws a UserError. */
export function saveProtocol(
  directories: UserDirectories,
  /** As it is stored: the one of the connected model. */
  reference: string,
  protocol: string,
): string {
  return changeUserSettings(directories, ['modelProtocols', reference], protocol)
}
