/** Handlers to run when this process exits, the latest first. */
const handlers = new Set<() => void>()

/**
 * Registers a synchronous handler for the end of this process: its `exit` event, or a signal that nothing else handles,
 * which would end it without that event. Returns a function that removes the handler.
 */
export function onExit(work: () => void): () => void {
  if (handlers.size === 0) listen()
  handlers.add(work)
  return () => {
    if (handlers.delete(work) && handlers.size === 0) stopListening()
  }
}

/** Runs all registered handlers. */
export function runExitHandlers(): void {
  for (const work of [...handlers].reverse()) work()
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

function listen(): void {
  process.on('exit', runExitHandlers)
  // Run first: listeners added with `once` are no longer counted after they ran.
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
