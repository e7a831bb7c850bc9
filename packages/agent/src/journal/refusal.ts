import { JournalError } from './journal.ts'

/**
 * The reason why a record is not appended. `not_asked`: no request exists under its key.
 * `answered`: the request already has an answer. `over`: the step that made the request has ended.
 * `lost`: another process holds the run. `behind`: records are missing that had been written.
 */
export type Refusal =
  | 'missing'
  | 'corrupt'
  | 'imported'
  | 'ended'
  | 'not_asked'
  | 'answered'
  | 'over'
  | 'taken'
  | 'lost'
  | 'behind'
  | 'unread'

/** Converts a refusal to an error with advice for the user. `key` is the key of the record. */
export function refusalError(refusal: Refusal, run: string, key: string): JournalError {
  const list = 'List pending requests with journal.waiting().'
  switch (refusal) {
    case 'missing':
      return new JournalError(
        'missing',
        `The run ${run} does not exist. List runs with journal.runs().`,
      )
    case 'corrupt':
      return new JournalError(
        'corrupt',
        `The run ${run} is damaged, so it cannot be resumed and would never read this. Start a new run.`,
      )
    case 'imported':
      return importedError(run)
    case 'ended':
      return new JournalError(
        'ended',
        `The run ${run} has ended, so it would never read this. Resume it first.`,
      )
    case 'not_asked':
      return new JournalError(
        'not_pending',
        `The run ${run} isn't waiting for an answer to ${key}. ${list}`,
      )
    case 'answered':
      return new JournalError(
        'not_pending',
        `${key} of the run ${run} is already answered, and the first answer counts. ${list}`,
      )
    case 'over':
      return new JournalError(
        'not_pending',
        `The run ${run} is no longer waiting for ${key}: the call has ended without an answer. ${list}`,
      )
    case 'taken':
      return new JournalError('taken', `The run ${run} already has the record ${key}.`)
    case 'lost':
      return new JournalError('busy', `Another process has taken over the run ${run}.`)
    case 'behind':
      return new JournalError(
        'corrupt',
        `Records of the run ${run} were written but are missing: an older copy of the journal was restored, or a standby that was behind took over. ${key} was not recorded. Resuming the run continues from the remaining records.`,
      )
    case 'unread':
      return new JournalError(
        'unread',
        `${key} of the run ${run} was not recorded, because a message was sent that the run has not read. Read it first.`,
      )
  }
}

/** The error for opening an imported run without saying so: such a run may contain any records. */
export function importedError(run: string): JournalError {
  return new JournalError(
    'imported',
    `The run ${run} was recorded elsewhere, so its approvals were not given here. It can be read. To resume it anyway, open it with imported: true.`,
  )
}
