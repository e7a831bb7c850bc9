/**
 * Gives other runs on the same thread a turn when this one has kept it too long: a promise to await, or undefined while
 * nobody has to wait. Runs that wait continue in the order they came.
 */
export function yieldToOthers(): Promise<void> | undefined {
  if (waiting.length === 0 && performance.now() - began < MAX_MILLISECONDS) return undefined
  return new Promise((resolve) => {
    waiting.push(resolve)
    if (waiting.length === 1) schedule(next)
  })
}

const MAX_MILLISECONDS = 4

const waiting: (() => void)[] = []
let began = 0

function next(): void {
  began = performance.now()
  waiting.shift()!()
  if (waiting.length > 0) schedule(next)
}

/** Runs after everything that is ready now. Browsers have no `setImmediate`. */
function schedule(work: () => void): void {
  const { setImmediate: soon } = globalThis as { setImmediate?: (work: () => void) => unknown }
  if (soon) soon(work)
  else setTimeout(work)
}
