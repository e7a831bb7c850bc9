/** What is left to do when this program ends; what came last is done first. */
const handlers = new Set<() => void>()

/**
 * Has something done when this program ends without having done it: at its exit, or by a signal that no one else
 * handles, which would end it without an exit. Nothing can be waited for by then. Gives back how to forget it.
 */
export function onExit(work: () => void): () => void {
  if (handlers.size === 0) listen()
  handlers.add(work)
  return () => {
    if (handlers.delete(work) && handlers.size === 0) stopListening()
  }
}

/** Does what is left to do. */
export function runExitHandlers(): void {
  for (const work of [...handlers].reverse()) work()
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

function listen(): void {
  process.on('exit', runExitHandlers)
  // First in the line: who listens only once is not counted any more afterwards.
  for (const signal of SIGNALS) process.prependListener(signal, onSignal)
}

function stopListening(): void {
  process.removeListener('exit', runExitHandlers)
  for (const signal of SIGNALS) process.removeListener(signal, onSignal)
}

function onSignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return
  runExitHandlers()
  stopListening()
  process.kill(process.pid, signal)
}
