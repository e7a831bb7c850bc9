import { type Model, ModelError } from '@toolglot/agent'
import { timeLimit } from '@toolglot/agent/internal'
import { type Protocol, protocols } from '@toolglot/core'
import { chooseCallFormat } from '@toolglot/agent/adapter/internal'
import { type ProbedProtocol, type TaskResult, bestOf } from './score.ts'
import { type ProbeTask, probeTasks } from './tasks.ts'
import { type Asking, tryTask } from './try-task.ts'
import { changeUserSettings } from '../../settings/user-settings.ts'
import type { UserDirectories } from '../../user-directories.ts'

/** Options for `probeModel`. */
export interface ProbeOptions {
  /**
   * The dialects to try. Default: the model's own, its function calling, and some that most models
   * can write.
   */
  readonly protocols?: readonly (Protocol | 'native')[] | undefined
  /** The tasks. Default: three small ones. */
  readonly tasks?: readonly ProbeTask[] | undefined
  readonly signal?: AbortSignal | undefined
  /** The maximum time for a reply, in milliseconds. Default: one minute. */
  readonly replyTimeout?: number | undefined
  /** The maximum total time, in milliseconds. Default: ten minutes. */
  readonly timeout?: number | undefined
  /** Called before each dialect and with each result. */
  readonly onProgress?: ((progress: ProbeProgress) => void) | undefined
}

/** The progress of a probe. */
export interface ProbeProgress {
  /** The id of the protocol being tried, or `native`. */
  readonly protocol: string
  /** The number of the dialect, counting from 1. */
  readonly number: number
  /** The total number of dialects. */
  readonly total: number
  /** The result, once it is known. */
  readonly result?: ProbedProtocol
}

/** The results of probing a model in several dialects. */
export interface ModelProbe {
  /** The dialects in the order in which they were tried. */
  readonly tried: readonly ProbedProtocol[]
  /**
   * The best dialect: the id of a protocol, or `native`. Undefined if no dialect led to a correct
   * call.
   */
  readonly best?: string
  /**
   * The reason why the probe was stopped early: the time was up, the model did not reply, or it
   * failed.
   */
  readonly stopped?: 'time' | 'silent' | 'failed'
  /** The error, if it failed. */
  readonly problem?: string
  /** The duration in milliseconds. */
  readonly duration: number
}

/**
 * Makes a model do small tasks in several dialects, one after another, to find the one it writes
 * best. Throws a ModelError if no request works, and the signal's reason if the signal is aborted.
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
        // Keep earlier findings.
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

/** The facts about a model learned during the probe. */
interface ProbeState {
  /** The number of consecutive tasks without a reply in time. */
  silences: number
  temperature: 0 | undefined
  /** The reason why no more requests are possible. */
  problem?: string
}

const MAX_SILENCES = 2

/**
 * Tries the tasks in a dialect. If the first one does not even lead to a wrong call, the harder
 * ones are skipped.
 */
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

/**
 * Describes why a task failed if another dialect may work better. Otherwise, rethrows the error.
 */
function problemOf(error: unknown, { protocol, signal }: Asking, state: ProbeState): string {
  if (signal.aborted) return 'the time was over'
  if (!(error instanceof ModelError)) throw error
  const { problem, message } = error
  if (SILENCE.includes(problem)) {
    state.silences++
    return 'no reply in time'
  }
  // A server without function calling may reject the tools.
  const isAboutDialect = OWN_FAULTS.includes(problem) || (protocol === 'native' && isRefusal(error))
  if (!isAboutDialect) throw error
  return message
}

function isRefusal({ problem }: ModelError): boolean {
  return problem === 'refused' || problem === 'unavailable'
}

const SILENCE: readonly ModelError['problem'][] = ['idle', 'timeout']

/** The errors that a model's reply can cause. */
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
 * Dialects that models can write without having been trained on them, each with a different
 * weakness: tags with JSON, which most models have seen; the same with a longer explanation; tags
 * whose text needs no escapes; plain JSON, for models that always write JSON; a Python call, for
 * models that prefer to write code.
 */
const STURDY: readonly Protocol[] = [
  protocols.hermes,
  protocols['tool-call'],
  protocols['tool-xml'],
  protocols['generic-json'],
  protocols.pythonic,
]

/**
 * The protocol that the model would be prompted to use without a probe. Undefined if that is a
 * guess.
 */
function ownDialect(model: Model): Protocol | 'native' | undefined {
  const { probed: _, ...unprobed } = model
  const { protocol, guessed } = chooseCallFormat(unprobed, undefined)
  return guessed ? undefined : (protocol ?? 'native')
}

/**
 * The dialects worth trying with a model: its own first, then function calling if available, and
 * robust ones.
 */
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

/**
 * Saves a model's best dialect in the user's own settings. Returns the settings file. Throws a
 * UserError if that fails.
 */
export function saveProtocol(
  directories: UserDirectories,
  /** The stored form of the connected model's reference. */
  reference: string,
  protocol: string,
): string {
  return changeUserSettings(directories, ['modelProtocols', reference], protocol)
}
