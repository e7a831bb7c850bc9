import type { Page } from 'playwright-core'

/** The speed of a replay that follows its handle, in milliseconds. */
export interface Scrubbed {
  /** The longest blocking time of the main thread; 0 if it never exceeded 50 ms. */
  readonly longest: number
  /** The median work of a frame in which the handle moves. */
  readonly median: number
  readonly slowest: number
  /** The time between two frames. */
  readonly pause: number
  readonly longestPause: number
  readonly frames: number
  /** The maximum number of nodes. */
  readonly nodes: number
}

/**
 * Drags the handle of a replay to the end, back, and to other positions, with a new position in
 * every frame. It stays at the end.
 */
export function scrub(page: Page, end: number): Promise<Scrubbed> {
  return page.evaluate(async (last) => {
    const tasks: number[] = []
    const work: number[] = []
    const pauses: number[] = []
    let [nodes, before] = [0, 0]
    new PerformanceObserver((entries) => {
      for (const { duration } of entries.getEntries()) tasks.push(duration)
    }).observe({ type: 'longtask' })
    const slider = document.querySelector<HTMLInputElement>('input[type="range"]')!
    const { port1, port2 } = new MessageChannel()
    const seek = (at: number): Promise<void> =>
      new Promise((resolve) => {
        requestAnimationFrame((now) => {
          const began = performance.now()
          if (before > 0) pauses.push(now - before)
          before = now
          // Bypasses React's own setter, as user input does.
          Reflect.set(HTMLInputElement.prototype, 'value', String(at), slider)
          slider.dispatchEvent(new Event('input', { bubbles: true }))
          // A message sent at the start of a frame is received after its work is done.
          port1.onmessage = () => {
            work.push(performance.now() - began)
            nodes = Math.max(nodes, document.querySelectorAll('*').length)
            resolve()
          }
          port2.postMessage(undefined)
        })
      })
    for (let at = 0; at <= last; at += 170) await seek(at)
    for (let at = last; at >= 0; at -= 340) await seek(at)
    for (let step = 0; step < 30; step++) await seek((step * 6151) % (last + 1))
    await seek(last)
    const sorted = (times: number[]): number[] => times.sort((one, other) => one - other)
    const middle = (times: number[]): number => sorted(times)[times.length >> 1]!
    return {
      longest: Math.max(0, ...tasks),
      median: middle(work),
      slowest: sorted(work).at(-1)!,
      pause: middle(pauses),
      longestPause: sorted(pauses).at(-1)!,
      frames: work.length,
      nodes,
    }
  }, end)
}
