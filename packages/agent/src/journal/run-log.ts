import { encodeRecord } from './check-record.ts'
import { JournalError, type JournalRecord, type RunLog, type RunMessage } from './journal.ts'
import { messageKey } from './messages.ts'
import { refusalError } from './refusal.ts'
import type { JournalStorage } from './storage.ts'
import { storedRecord } from './stored-record.ts'

/** The log of a run that this process holds. */
export function runLog(
  storage: JournalStorage,
  run: string,
  before: readonly JournalRecord[],
): RunLog {
  const messages = before.filter(({ kind }) => kind === 'message')
  let closed = false
  return {
    run,
    before,
    async append(record, { messagesRead } = {}) {
      if (record.kind === 'message')
        throw new TypeError(
          'expected a record of kind begin, value, wait or answer, got a message: those are sent with journal.send',
        )
      const encoded = encodeRecord(record)
      if (closed) throw new JournalError('failed', `The run ${run} was closed.`)
      const refusal = await storage.append(run, encoded, messagesRead)
      if (refusal) throw refusalError(refusal, run, `${record.kind} ${record.key}`)
      return storedRecord(encoded, encoded.text)
    },
    waitForAnswer: async (key, signal) => storage.wait(run, { kind: 'answer', key }, signal),
    async waitForMessage(number, signal) {
      const known = messages[number]
      const message = known
        ? known.value
        : await storage.wait(run, { kind: 'message', key: messageKey(number) }, signal)
      return message as RunMessage
    },
    async close() {
      if (closed) return
      closed = true
      await storage.release(run)
    },
  }
}
