import type { CommandEnd, RunningCommand } from './start-command.ts'
import { waitAtMost } from '../process/wait-at-most.ts'

/** A stopped call must be over at once. */
export const ABORT_GRACE = 200

/** How a command ended. The signal stops it. */
export async function waitForEnd(
  one: RunningCommand,
  signal: AbortSignal | undefined,
): Promise<CommandEnd>
/** Undefined: it has not ended in this time, and is not stopped by the signal any more. */
export async function waitForEnd(
  one: RunningCommand,
  signal: AbortSignal | undefined,
  patience: number,
): Promise<CommandEnd | undefined>
export async function waitForEnd(
  one: RunningCommand,
  signal: AbortSignal | undefined,
  patience?: number,
): Promise<CommandEnd | undefined> {
  const stop = (): void => void one.stop(ABORT_GRACE)
  if (signal?.aborted) stop()
  signal?.addEventListener('abort', stop, { once: true })
  try {
    let outcome: CommandEnd | undefined
    const ended = one.ended.then((end) => void (outcome = end))
    await (patience === undefined ? ended : waitAtMost(patience, ended))
    return outcome
  } finally {
    signal?.removeEventListener('abort', stop)
  }
}

/** What is said of a command that was stopped for it. */
export const TIMED_OUT = { exitCode: 124, timedOut: 'total' } as const

/** How a command stands that has not ended. */
export const STILL_RUNNING: CommandEnd = {
  exitCode: 0,
  signal: undefined,
  timedOut: 'total',
  leftOver: false,
  folder: undefined,
}
