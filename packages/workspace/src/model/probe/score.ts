/** The result of a task in a dialect. */
export interface TaskResult {
  /** The name of the task. */
  readonly task: string
  /**
   * - `done`: the call was exact and written in the requested dialect, and its result was used
   * - `repaired`: the same, but the call had to be repaired
   * - `failed`: any other result
   * - `skipped`: not tried, because an easier task did not even lead to a call or the time was up
   */
  readonly outcome: 'done' | 'repaired' | 'failed' | 'skipped'
  /** True if a call of the tool was found, correct or not. */
  readonly called: boolean
  /** A description of the problem. */
  readonly problem?: string
  readonly repairs: readonly string[]
  /** The duration in milliseconds. */
  readonly duration: number
  /** The number of tokens written by the model, possibly estimated. */
  readonly tokens: number
}

/** The results of a model in a dialect. */
export interface ProbedProtocol {
  /** The id of the protocol, or `native`. */
  readonly protocol: string
  /** True if the model would be prompted to use this dialect without a probe. */
  readonly isOwn: boolean
  readonly tasks: readonly TaskResult[]
}

/**
 * Compares the results of two dialects: negative if the first one is better. The criteria, in
 * order: completed tasks, tasks completed without repairs, tasks with a call, whether the dialect
 * is the model's own, and its cost.
 */
export function compareProbed(one: ProbedProtocol, other: ProbedProtocol): number {
  for (const score of SCORES) {
    const difference = score(other) - score(one)
    if (difference !== 0) return difference
  }
  return 0
}

/** The best dialect, or undefined if no task was completed in any of them. */
export function bestOf(all: readonly ProbedProtocol[]): ProbedProtocol | undefined {
  // Sorting is stable, so the first of several equal dialects wins.
  const [best] = [...all].sort(compareProbed)
  return best && doneIn(best) > 0 ? best : undefined
}

/** The number of completed tasks. */
export function doneIn({ tasks }: Pick<ProbedProtocol, 'tasks'>): number {
  return countOf(tasks, ({ outcome }) => outcome === 'done' || outcome === 'repaired')
}

/** The criteria in order of importance. A higher score is better. */
const SCORES: readonly ((each: ProbedProtocol) => number)[] = [
  doneIn,
  ({ tasks }) => countOf(tasks, ({ outcome }) => outcome === 'done'),
  ({ tasks }) => countOf(tasks, ({ called }) => called),
  ({ isOwn }) => (isOwn ? 1 : 0),
  ({ tasks }) => -sumOf(tasks, ({ tokens }) => tokens),
  ({ tasks }) => -sumOf(tasks, ({ duration }) => duration),
]

function countOf(tasks: readonly TaskResult[], is: (each: TaskResult) => boolean): number {
  return tasks.filter(is).length
}

/** Adds up a value over the tasks of a dialect. */
function sumOf(tasks: readonly TaskResult[], of: (each: TaskResult) => number): number {
  return tasks.reduce((sum, each) => sum + of(each), 0)
}
