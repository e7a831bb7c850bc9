import type { ProbedProtocol, TaskResult } from './probed-protocol.ts'

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
export function sumOf(tasks: readonly TaskResult[], of: (each: TaskResult) => number): number {
  return tasks.reduce((sum, each) => sum + of(each), 0)
}
