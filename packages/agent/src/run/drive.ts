import { type Journal, JournalError } from '../journal/journal.ts'
import type { EndReason, RunEvent } from './event.ts'
import type { RunOptions } from './options.ts'
import type { RunEnd } from './resume/history.ts'
import { run } from './run.ts'

/** A run in a journal, and the options for executing it. */
export interface DriveOptions extends RunOptions {
  readonly id: string
  readonly journal: Journal
  /** Wait for answers, or suspend the run. Default: suspend. */
  readonly onWait?: 'wait' | 'suspend' | undefined
  /** Called with each event. Must not throw. */
  readonly onEvent?: ((event: RunEvent) => void) | undefined
}

/** The state in which a run was left. Plain data. */
export type DriveOutcome =
  | (Pick<RunEnd, 'text' | 'usage' | 'error'> & {
      readonly status: 'ended'
      readonly run: string
      readonly reason: EndReason
    })
  /**
   * The run is waiting for answers; `pending` contains their keys. Drive it again once they are in
   * the journal.
   */
  | { readonly status: 'waiting'; readonly run: string; readonly pending: readonly string[] }
  /** The signal `release` was aborted. Drive the run again, in any process. */
  | { readonly status: 'released'; readonly run: string }

/**
 * Starts or continues a run until it ends, waits for a person, or is released. It can be called
 * repeatedly and in any process: finished steps are not repeated, and if two calls overlap, the
 * journal allows only one of them to record. The other one throws a JournalError, as does a call
 * that cannot record, or whose tools differ from the tools with which the run started. In these
 * cases, try again, possibly on another machine.
 */
export async function drive({
  onEvent = () => {},
  onWait = 'suspend',
  ...options
}: DriveOptions): Promise<DriveOutcome> {
  const { id } = options
  const events = run({ ...options, onWait })
  try {
    for (;;) {
      const step = await events.next()
      if (step.done) return outcomeOf(id, step.value)
      onEvent(step.value)
    }
  } finally {
    await events.return(undefined as never)
  }
}

function outcomeOf(
  id: string,
  { reason, text, usage, error, pending, problem }: RunEnd,
): DriveOutcome {
  if (problem !== undefined) throw new JournalError(problem, error ?? `The run ${id} failed.`)
  if (reason !== 'interrupted')
    return { status: 'ended', run: id, reason, text, usage, ...(error !== undefined && { error }) }
  return pending ? { status: 'waiting', run: id, pending } : { status: 'released', run: id }
}
