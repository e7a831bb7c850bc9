/**
 * Gives everything else on the same thread a turn, once this one has been kept too long: a promise to await, or undefined
 * while that is not so. All who wait continue together, each with its next piece of work, in the order they came.
 */
export function yieldToOthers(): Promise<void> | undefined {
  if (!isScheduled) {
    // The first to ask since others had their turn.
    began = performance.now()
    isScheduled = true
    schedule(next)
    return undefined
  }
  if (performance.now() - began < MAX_MILLISECONDS) return undefined
  return (waiting ??= new Promise((resolve) => (release = resolve)))
}

const MAX_MILLISECONDS = 1

let isScheduled = false
let began = 0
let waiting: Promise<void> | undefined
let release: (() => void) | undefined

function next(): void {
  isScheduled = false
  waiting = undefined
  release?.()
  release = undefined
}

/** Runs after everything that is ready now. Browsers have no `setImmediate`. */
const schedule: (work: () => void) => unknown =
  (globalThis as { setImmediate?: (work: () => void) => unknown }).setImmediate ?? setTimeout
