import { JournalError, type JournalProblem } from '@toolglot/agent/journal'
import { UserError } from '@toolglot/workspace'
import { HttpError, type HttpErrorCode } from '../security/http-error.ts'

/** What an endpoint threw, as an error for its client. What is not meant for clients stays as it is. */
export function asHttpError(error: unknown): unknown {
  if (error instanceof UserError)
    return new HttpError('unprocessable', error.message, { action: 'Correct that, and try again.' })
  if (!(error instanceof JournalError)) return error
  const [code, action] = PROBLEMS[error.problem]
  // The journal speaks to programs, which may open such a run.
  const detail = code === 'run_imported' ? 'The run was recorded elsewhere.' : error.message
  return new HttpError(code, detail, { action })
}

const STORAGE = 'Check the disk and the state folder of this machine; toolglot doctor helps.'

const PROBLEMS: Readonly<Record<JournalProblem, readonly [HttpErrorCode, action: string]>> = {
  busy: ['run_busy', 'It is being executed: stop it, or wait until it has ended.'],
  taken: ['run_exists', 'It is here already. To replace it, delete it first.'],
  missing: ['run_not_found', 'GET /api/runs lists the runs.'],
  ended: ['run_ended', 'Continue it with POST /api/runs/:run/resume.'],
  not_pending: ['not_pending', 'The first answer counts. GET /api/approvals lists what waits.'],
  unread: ['run_busy', 'Try again.'],
  full: ['storage_failed', STORAGE],
  read_only: ['storage_failed', STORAGE],
  corrupt: ['storage_failed', STORAGE],
  newer: ['storage_failed', 'A newer version has written it: update this one.'],
  imported: ['run_imported', 'An imported run can only be read. Start a new one.'],
  changed: ['run_changed', 'To continue it all the same, send acceptChanges: true.'],
  failed: ['storage_failed', STORAGE],
}
