import type { ChildProcess } from 'node:child_process'

const children = new Set<ChildProcess>()
let isListening = false

/** Ends a command, which leads a group of its own, when this program ends without having closed its host. */
export function endWithUs(child: ChildProcess): void {
  if (!isListening) process.on('exit', endAllNow)
  isListening = true
  children.add(child)
  child.once('exit', () => children.delete(child))
}

/** At once, without asking: nothing can be waited for any more. */
export function endAllNow(): void {
  for (const { pid } of children) {
    try {
      process.kill(-pid!, 'SIGKILL')
    } catch {
      // It ended since.
    }
  }
}
