import { JournalError } from '../journal/journal.ts'
import { ModelError } from '../model/model-error.ts'
import type { Usage } from '../model/usage.ts'
import type { LoopState } from './state.ts'
import type { EndReason } from './event.ts'
import type { RunEnd } from './resume/history.ts'

/** The end of a run whose journal failed. It is not recorded. */
export function storageEnd({ message, problem }: JournalError, text: string, usage: Usage): RunEnd {
  return { reason: 'storage', text, usage, error: message, problem }
}

/** Converts an error to the end of a run. An unexpected error is a bug and is rethrown. */
export function endOfError(error: unknown, state: LoopState, deadline: AbortSignal): RunEnd {
  const { text, usage, signal, limits } = state
  const because = (reason: EndReason, message: string): RunEnd => ({
    reason,
    text,
    usage,
    error: message,
  })
  if (signal.aborted) {
    return deadline.aborted
      ? because(
          'timeout',
          `The run took more than ${limits.runTimeout! / 1000} seconds. To allow more, raise the limit runTimeout.`,
        )
      : because('cancelled', 'The run was stopped.')
  }
  if (error instanceof StoppedByUser) return because('denied', error.message)
  if (error instanceof JournalError) return storageEnd(error, text, usage)
  if (error instanceof ModelError) {
    const { problem, message } = error
    if (problem !== 'context_overflow') return because('model_error', message)
    const { contextAdvice } = state.model
    return because(problem, contextAdvice === undefined ? message : `${message} ${contextAdvice}`)
  }
  throw error
}

/**
 * Thrown to leave a run without ending it, because it was released or is waiting for a person. It
 * can be continued.
 */
export class Paused extends Error {
  readonly why: 'released' | 'suspended'

  constructor(why: Paused['why']) {
    super(`The run was ${why}.`)
    this.name = 'Paused'
    this.why = why
  }
}

/** Thrown when a person denied a call and stopped the run. */
export class StoppedByUser extends Error {
  constructor(reason = 'The user stopped the run.') {
    super(reason)
    this.name = 'Stopped'
  }
}
