/**
 * Lets others go on where work would keep them waiting: undefined while nothing has to wait, else a promise to wait for.
 * Many runs share one thread: each that has waited goes on for a moment, in the order they came.
 */
export function yieldToOthers(): Promise<void> | undefined {
  if (waiting.length === 0 && performance.now() - began < MAX) return undefined
  return new Promise((resolve) => {
    waiting.push(resolve)
    if (waiting.length === 1) later(next)
  })
}

/** In milliseconds: longer than this, nobody else is kept waiting. */
const MAX = 4

const waiting: (() => void)[] = []
let began = 0

function next(): void {
  began = performance.now()
  waiting.shift()!()
  if (waiting.length > 0) later(next)
}

/** Behind everything that is ready now; a browser has only clocks for that. */
function later(work: () => void): void {
  const { setImmediate: soon } = globalThis as { setImmediate?: (work: () => void) => unknown }
  if (soon) soon(work)
  else setTimeout(work)
}
