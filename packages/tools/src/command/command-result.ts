import type { CommandResult, RunOptions, SandboxName } from '../host/processes.ts'
import type { Captured } from '../output/capture.ts'
import type { CommandEnd, RunningCommand } from './start-command.ts'

/** What a model should know about how a command ended. */
export function notesOn(
  outcome: CommandEnd,
  captured: Captured,
  { timeout }: RunOptions,
): string[] {
  const notes = []
  if (outcome.timedOut === 'total')
    notes.push(
      `It was stopped because it took longer than ${timeout} ms. Use a longer timeout, or run it in the background.`,
    )
  if (outcome.timedOut === 'silence')
    notes.push('It was stopped because it produced no output for too long.')
  if (outcome.leftOver && !outcome.timedOut)
    notes.push(
      'Processes that it left running were stopped. To keep something running, run it in the background.',
    )
  if (captured.isLogFull)
    notes.push('The log is full or not writable, so some output is missing from it.')
  return notes
}

/** Builds the result of a command. */
export function commandResult(
  { pid, sandbox }: RunningCommand & { readonly sandbox: SandboxName },
  { exitCode, signal, timedOut }: CommandEnd,
  { stdout, stderr, truncated, outputFile }: Captured,
  duration: number,
  notes: readonly string[],
): CommandResult {
  return {
    stdout,
    stderr,
    exitCode,
    signal,
    timedOut,
    truncated,
    outputFile,
    pid,
    duration: Math.round(duration),
    sandbox,
    notes,
  }
}
