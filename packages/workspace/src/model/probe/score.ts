/** How well a model did one task in one dialect. */
export interface TaskResult {
  /** The name of the task. */
  readonly task: string
  /**
   * - `done`: the call was exact and written as asked, and its result was used
   * - `repaired`: the same, but the call had to be repaired
   * - `failed`: otherwise
   * - `skipped`: it was not asked, because nothing came of an easier task or the time was over
   */
  readonly outcome: 'done' | 'repaired' | 'failed' | 'skipped'
  /** Whether a call of the tool was found, right or wrong. */
  readonly called: boolean
  /** The problem, in words. */
  readonly problem?: string
  readonly repairs: readonly string[]
  /** In milliseconds. */
  readonly duration: number
  /** How many tokens the model wrote, maybe estimated. */
  readonly tokens: number
}

/** How well a model spoke one dialect. */
export interface ProbedProtocol {
  /** The id of the protocol, or `native`. */
  readonly protocol: string
  /** Whether it is what the model would be asked to write without a probe. */
  readonly isOwn: boolean
  readonly tasks: readonly TaskResult[]
}

/**
 * Compares how well a model spoke two dialects: negative if the first was better. What was done counts before how cleanly,
 * that before what else worked, and only then whose dialect it is and what it cost.
 */
export function compareProbed(one: ProbedProtocol, other: ProbedProtocol): number {
  for (const score of SCORES) {
    const difference = score(other) - score(one)
    if (difference !== 0) return difference
  }
  return 0
}

/** The dialect that the model spoke best; undefined if it did nothing in any of them. */
export function bestOf(all: readonly ProbedProtocol[]): ProbedProtocol | undefined {
  // The sort is stable: of equals, the first is the best.
  const [best] = [...all].sort(compareProbed)
  return best && doneIn(best) > 0 ? best : undefined
}

/** How many tasks were done. */
export function doneIn({ tasks }: Pick<ProbedProtocol, 'tasks'>): number {
  return countOf(tasks, ({ outcome }) => outcome === 'done' || outcome === 'repaired')
}

/** From the most important to the least. More is better. */
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

/** A sum over the tasks of a dialect. */
function sumOf(tasks: readonly TaskResult[], of: (each: TaskResult) => number): number {
  return tasks.reduce((sum, each) => sum + of(each), 0)
}
