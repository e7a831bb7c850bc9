import type { ChildProcess } from 'node:child_process'
import { onExit } from './on-exit.ts'
import { listProcesses } from './list-processes.ts'
import { sleepSync } from './sleep-sync.ts'
import { signalGroup } from './process-tree.ts'

/** Kills a child, which leads its own session and group, if this process exits before it does. */
export function killOnExit(child: ChildProcess): void {
  const forget = onExit(() => killGroup(child.pid!))
  child.once('exit', forget)
}

/** In milliseconds. What has not ended by then is stuck in the kernel and does nothing any more. */
const KILL_TIMEOUT = 1000

/** Kills a group and waits for its end: until then it could reach what the sandbox is about to release. */
function killGroup(pid: number): void {
  signalGroup(pid, 'SIGKILL')
  if (process.platform !== 'linux') return
  const until = performance.now() + KILL_TIMEOUT
  while (performance.now() < until && listProcesses().some(({ session }) => session === pid))
    sleepSync(1)
}
