import type { ChildProcess } from 'node:child_process'
import { listProcesses } from './list-processes.ts'
import { signalGroup } from './process-tree.ts'

const CELL = new Int32Array(new SharedArrayBuffer(4))

/** Handlers to run when this process exits, the latest first. */
const handlers = new Set<() => void>()

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Kills a child, which leads its own session and group, if this process exits first. */
export function killOnExit(child: ChildProcess): void {
  const forget = onExit(() => killGroup(child.pid!))
  child.once('exit', forget)
}

/**
 * The timeout in milliseconds. A process that has not ended by then is stuck in the kernel and no
 * longer does any harm.
 */
const KILL_TIMEOUT = 1000

/**
 * Kills a group and waits for its end, because until then it could access resources that the
 * sandbox is about to release.
 */
function killGroup(pid: number): void {
  signalGroup(pid, 'SIGKILL')
  if (process.platform !== 'linux') return
  const until = performance.now() + KILL_TIMEOUT
  while (performance.now() < until && listProcesses().some(({ session }) => session === pid))
    sleepSync(1)
}

/**
 * Registers a synchronous handler for the end of this process: its `exit` event, or a signal
 * without any other handler, which would end it without that event. Returns a function that removes
 * the handler.
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

function listen(): void {
  process.on('exit', runExitHandlers)
  // Prepended, because listeners added with `once` are no longer counted after they ran.
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

/** Blocks this thread for some milliseconds. */
function sleepSync(milliseconds: number): void {
  Atomics.wait(CELL, 0, 0, milliseconds)
}
