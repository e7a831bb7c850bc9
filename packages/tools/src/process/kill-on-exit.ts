import type { ChildProcess } from 'node:child_process'
import { onExit } from './on-exit.ts'
import { listProcesses } from './list-processes.ts'
import { sleepSync } from './sleep-sync.ts'
import { signalGroup } from './process-tree.ts'

/** Ends a command, which leads a session and a group of its own, when this program ends without having closed its host. */
export function killOnExit(child: ChildProcess): void {
  const forget = onExit(() => killGroup(child.pid!))
  child.once('exit', forget)
}

/** In milliseconds: what cannot be ended until then waits for the system, and does nothing any more. */
const KILL_TIMEOUT = 1000

/** At once, without asking. What it was kept from is open to it until it has really ended, so that is waited for. */
function killGroup(pid: number): void {
  signalGroup(pid, 'SIGKILL')
  if (process.platform !== 'linux') return
  const until = performance.now() + KILL_TIMEOUT
  while (performance.now() < until && listProcesses().some(({ session }) => session === pid))
    sleepSync(1)
}
