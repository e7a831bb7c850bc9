/** How long something may still take its place after a text was opened, in milliseconds. */
const SETTLING = 3000

/** Runs something whenever an element gets another size, until somebody uses it or everything has taken its place. Returns how to stop. */
export function whileResized(element: Element, run: () => void): () => void {
  const observer = new ResizeObserver(run)
  const used = new AbortController()
  const stop = (): void => {
    observer.disconnect()
    used.abort()
    clearTimeout(timer)
  }
  const timer = setTimeout(stop, SETTLING)
  for (const type of ['wheel', 'pointerdown', 'keydown', 'touchstart'])
    element.addEventListener(type, stop, { signal: used.signal, passive: true })
  observer.observe(element)
  return stop
}
