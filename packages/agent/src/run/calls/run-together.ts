import type { CallKey } from '../../journal/keys.ts'
import { timeLimit } from '../../time/time-limit.ts'
import type { RunCall } from '../event.ts'
import { Paused } from '../ends.ts'
import { cutOffText } from '../turn/retry-message.ts'
import type { CallState } from '../state.ts'
import { repeated } from './repeats.ts'
import { askInAdvance, runCall, type Running, skipCall, type Skipped } from './run-call.ts'
import type { ToolOutcome } from './tool-outcome.ts'

/** A call and the key of its outcome. */
export interface TurnCall {
  readonly call: RunCall
  readonly key: CallKey
}

/**
 * Runs groups of calls one after another. Approvals needed by later groups are requested at the
 * start.
 */
export async function runTogether(
  state: CallState,
  calls: readonly TurnCall[],
  turn: number,
  onEnd: (call: TurnCall, outcome: ToolOutcome) => void,
): Promise<void> {
  const [first = [], ...later] = groupsOf(state, calls)
  const stop = timeLimit(undefined, state.signal)
  const { signal } = stop
  let failure: { readonly error: unknown } | undefined
  // Requests reach the approver in the order of the calls.
  const inOrder = createSequence()
  const start = (each: TurnCall): Promise<ToolOutcome> =>
    inOrder((asked) => runOne(state, each, turn, { signal, asked }))
  const started = first.map(start)
  const requests = later
    .flat()
    .filter(({ call }) => !reasonToSkip(state, call, turn < state.abandonedTurns))
    .map(({ call, key }) =>
      inOrder((asked) => askInAdvance(state, call, key, { signal, asked })).catch((error) => {
        // If this pauses, the call itself pauses later.
        if (error instanceof Paused || signal.aborted) return
        failure ??= { error }
        stop.abort(error)
      }),
    )
  try {
    for (const group of [first, ...later]) {
      if (group !== first) state.signal.throwIfAborted()
      const done = await settleAll(group === first ? started : group.map(start), stop.abort)
      if (failure) throw failure.error
      // In the order of the calls, so that a resumed run counts the same way.
      for (const [at, each] of group.entries()) onEnd(each, done[at]!)
    }
  } catch (error) {
    // Record the requests for later calls first.
    if (error instanceof Paused) await Promise.all(requests)
    throw error
  } finally {
    stop.abort()
    await Promise.all(requests)
    stop.end()
  }
}

/** Consecutive read-only calls form a group. */
function groupsOf({ tools, parallel }: CallState, calls: readonly TurnCall[]): TurnCall[][] {
  const groups: { readOnly: boolean; calls: TurnCall[] }[] = []
  for (const each of calls) {
    const readOnly = parallel && tools.find(each.call.name)?.access.readOnly === true
    const last = groups.at(-1)
    if (last?.readOnly && readOnly) last.calls.push(each)
    else groups.push({ readOnly, calls: [each] })
  }
  return groups.map((group) => group.calls)
}

/** Runs a call unless there is a reason to skip it. */
export async function runOne(
  state: CallState,
  { call, key }: TurnCall,
  turn: number,
  running: Running,
): Promise<ToolOutcome> {
  const { steps, release, abandonedTurns } = state
  const skipped = steps.has(key) ? undefined : reasonToSkip(state, call, turn < abandonedTurns)
  if (!skipped) {
    if (!steps.has(key)) release.throwIfAborted()
    return runCall(state, call, key, running)
  }
  return skipCall(state, call, key, skipped)
}

function reasonToSkip(
  { tools, repeats, options }: CallState,
  { name, args, complete, raw }: RunCall,
  isAbandoned: boolean,
): Skipped | undefined {
  if (!complete) {
    return { status: 'cut_off', text: cutOffText(raw) }
  }
  const tool = tools.find(name)
  // A cache answers repeated calls and drops outdated results itself.
  const isCached = options.cacheResults && !options.duplicates?.on && tool?.access.readOnly
  const earlier = tool?.repeatable || isCached ? undefined : repeats.find(name, args)
  if (earlier) {
    const isHarmless = tool?.access.readOnly === true && !tool.dangerous
    const { on, warning } = options.duplicates ?? {}
    return repeated(earlier, name, isHarmless && on === 'reuse', warning)
  }
  return isAbandoned ? { status: 'cancelled', text: `${name} was not run.` } : undefined
}

/**
 * Starts pieces of work in order: each one when the previous one calls `ready` or ends. After that,
 * they run in parallel.
 */
type Sequence = <Value>(work: (ready: () => void) => Promise<Value>) => Promise<Value>

/** Creates an empty sequence. */
function createSequence(): Sequence {
  let last: Promise<void> | undefined
  return async (work) => {
    const before = last
    let ready = (): void => {}
    last = new Promise((resolve) => (ready = resolve))
    try {
      await before
      return await work(ready)
    } finally {
      ready()
    }
  }
}

/**
 * Waits for all work, so that all of it is recorded, and returns the results. If any work fails,
 * calls `stop`, unless the run is only pausing, and throws the error.
 */
async function settleAll<Value>(
  work: readonly Promise<Value>[],
  stop: (error: unknown) => void,
): Promise<Value[]> {
  let failure: { readonly error: unknown } | undefined
  const results = await Promise.all(
    work.map((each) =>
      each.catch((error: unknown) => {
        const isPause = error instanceof Paused
        if (!failure || (failure.error instanceof Paused && !isPause)) failure = { error }
        if (!isPause) stop(error)
        return undefined
      }),
    ),
  )
  if (failure) throw failure.error
  return results as Value[]
}
