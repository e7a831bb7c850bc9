import { checkRecord } from '../../journal/check-record.ts'
import { JournalError, type JournalRecord, type RunLog } from '../../journal/journal.ts'
import type { Connection } from './connect.ts'
import { isRefused, isTaken, journalError, telling } from './problems.ts'
import { appendBy, free } from './statements.ts'

/** A run that this process holds. */
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
      const text = checkRecord({ key, kind, value })
      if (closed) throw new JournalError('failed', `The run ${run} was closed.`)
      const record = { run, key, kind, value, text, time: Date.now() }
      await telling(file, async () => {
        try {
          await thread.commit(appendBy(holders.own, record))
        } catch (error) {
          if (isTaken(error))
            throw new JournalError('taken', `There is a ${kind} of ${key} already.`)
          if (isRefused(error))
            throw new JournalError('busy', `Another process has taken over the run ${run}.`)
          throw error
        }
      })
    },
    async answered(key, signal) {
      try {
        return await answers.wait(run, key, signal)
      } catch (error) {
        throw signal.aborted ? error : journalError(error, file)
      }
    },
    async close() {
      if (closed) return
      closed = true
      await telling(file, () => thread.commit([free(run, holders.own)]))
    },
  }
}
