import { type Journal, JournalError } from '../journal/journal.ts'
import type { EndReason, RunEvent } from './event.ts'
import type { RunOptions } from './options.ts'
import type { RunEnd } from './resume/history.ts'
import { run } from './run.ts'

/** A run in a journal, and what it is executed with. */
export interface DriveOptions extends RunOptions {
  readonly id: string
  readonly journal: Journal
  /** Default: suspend. */
  readonly onWait?: 'wait' | 'suspend' | undefined
  /** Called with each event. It must not throw. */
  readonly onEvent?: ((event: RunEvent) => void) | undefined
}

/** How far a run was driven, as plain data. */
export type DriveOutcome =
  | (Pick<RunEnd, 'text' | 'usage' | 'error'> & {
      readonly status: 'ended'
      readonly run: string
      readonly reason: EndReason
    })
  /** It waits for answers: `pending` are their keys. Once they are in the journal, drive it again. */
  | { readonly status: 'waiting'; readonly run: string; readonly pending: readonly string[] }
  /** The signal `release` aborted: drive it again, anywhere. */
  | { readonly status: 'released'; readonly run: string }

/**
 * Starts or continues a run, until it ends, waits for a person or is released. It can be called again and again, in any
 * process: what was done is not done twice, and if two calls overlap, the journal lets one of them record. The other one
 * throws a JournalError, and so does one that cannot record at all, or that has other tools than the run began with: try
 * again, maybe elsewhere.
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
