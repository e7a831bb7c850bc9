import { encodeRecord } from '../../journal/check-record.ts'
import { JournalError, type JournalRecord, type RunLog } from '../../journal/journal.ts'
import type { Connection } from './connect.ts'
import { isRefused, isTaken, toJournalError, withJournalErrors } from './journal-error.ts'
import { appendAsHolder, releaseRun } from './statements.ts'

/** The log of a run that this process holds. */
export function runLog(
  connection: Connection,
  run: string,
  before: readonly JournalRecord[],
): RunLog {
  const { file, thread, holders, answers } = connection
  let closed = false

  return {
    run,
    before,
    async append({ key, kind, value }) {
      const text = encodeRecord({ key, kind, value })
      if (closed) throw new JournalError('failed', `The run ${run} was closed.`)
      const record = { run, key, kind, value, text, time: Date.now() }
      await withJournalErrors(file, async () => {
        try {
          await thread.commit(appendAsHolder(holders.own, record))
        } catch (error) {
          if (isTaken(error))
            throw new JournalError('taken', `The record ${kind} ${key} already exists.`)
          if (isRefused(error))
            throw new JournalError('busy', `Another process has taken over the run ${run}.`)
          throw error
        }
      })
    },
    async waitForAnswer(key, signal) {
      try {
        return await answers.wait(run, key, signal)
      } catch (error) {
        throw signal.aborted ? error : toJournalError(error, file)
      }
    },
    async close() {
      if (closed) return
      closed = true
      await withJournalErrors(file, () => thread.commit([releaseRun(run, holders.own)]))
    },
  }
}
