/** What is left to do when this program ends; what came last is done first. */
const works = new Set<() => void>()

/**
 * Has something done when this program ends without having done it: at its exit, or by a signal that no one else
 * handles, which would end it without an exit. Nothing can be waited for by then. Gives back how to forget it.
 */
export function atEnd(work: () => void): () => void {
  if (works.size === 0) listen()
  works.add(work)
  return () => {
    if (works.delete(work) && works.size === 0) stopListening()
  }
}

/** Does what is left to do. */
export function endNow(): void {
  for (const work of [...works].reverse()) work()
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

function listen(): void {
  process.on('exit', endNow)
  // First in the line: who listens only once is not counted any more afterwards.
  for (const signal of SIGNALS) process.prependListener(signal, onSignal)
}

function stopListening(): void {
  process.removeListener('exit', endNow)
  for (const signal of SIGNALS) process.removeListener(signal, onSignal)
}

function onSignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return
  endNow()
  stopListening()
  process.kill(process.pid, signal)
}
