/**
 * Lets other work on the same thread run after a long time without a break: returns a promise to
 * await, or undefined if no break is needed. All waiting callers continue together, in the order of
 * their calls.
 */
export function yieldToOthers(): Promise<void> | undefined {
  if (!isScheduled) {
    // The start of the current period without a break.
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

/** Runs after all work that is ready. Browsers have no `setImmediate`. */
const schedule: (work: () => void) => unknown =
  (globalThis as { setImmediate?: (work: () => void) => unknown }).setImmediate ?? setTimeout
