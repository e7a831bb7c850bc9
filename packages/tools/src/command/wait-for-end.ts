import type { CommandEnd, RunningCommand } from './start-command.ts'
import { waitAtMost } from '../process/wait-at-most.ts'

/** In milliseconds. A call that is aborted must end at once. */
export const ABORT_GRACE = 200

/** Waits until a command ends. The signal stops it. */
export async function waitForEnd(
  running: RunningCommand,
  signal: AbortSignal | undefined,
): Promise<CommandEnd>
/** Returns undefined if it has not ended in time; the signal no longer stops it then. */
export async function waitForEnd(
  running: RunningCommand,
  signal: AbortSignal | undefined,
  timeout: number,
): Promise<CommandEnd | undefined>
export async function waitForEnd(
  running: RunningCommand,
  signal: AbortSignal | undefined,
  timeout?: number,
): Promise<CommandEnd | undefined> {
  const stop = (): void => void running.stop(ABORT_GRACE)
  if (signal?.aborted) stop()
  signal?.addEventListener('abort', stop, { once: true })
  try {
    let outcome: CommandEnd | undefined
    const ended = running.ended.then((end) => void (outcome = end))
    await (timeout === undefined ? ended : waitAtMost(timeout, ended))
    return outcome
  } finally {
    signal?.removeEventListener('abort', stop)
  }
}

/** Reported for a command that was stopped at its timeout. */
export const TIMED_OUT = { exitCode: 124, timedOut: 'total' } as const

/** Reported for a command that continues in the background. */
export const STILL_RUNNING: CommandEnd = {
  exitCode: 0,
  signal: undefined,
  timedOut: 'total',
  leftOver: false,
  folder: undefined,
}
