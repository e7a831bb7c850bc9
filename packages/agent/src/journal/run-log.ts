import { encodeRecord } from './check-record.ts'
import { JournalError, type JournalRecord, type RunLog, type RunMessage } from './journal.ts'
import { messageKey } from './messages.ts'
import { refusalError } from './refusal.ts'
import type { HeldRun, JournalStorage } from './storage.ts'
import { storedRecord } from './stored-record.ts'

/** The log of a run that this process holds. */
export function runLog(
  storage: JournalStorage,
  run: string,
  { records: before, epoch }: HeldRun,
): RunLog {
  const messages = before.filter(({ kind }) => kind === 'message')
  let closed = false

  async function appendAll(
    records: readonly Omit<JournalRecord, 'time'>[],
    messagesRead?: number,
  ): Promise<JournalRecord[]> {
    if (records.some(({ kind }) => kind === 'message'))
      throw new TypeError(
        'expected a record of kind begin, value, wait or answer, got a message: those are sent with journal.send',
      )
    const encoded = records.map((record) => encodeRecord(record))
    if (closed) throw new JournalError('failed', `The run ${run} was closed.`)
    const refusal = await storage.append(run, epoch, encoded, messagesRead)
    const names = records.map(({ kind, key }) => `${kind} ${key}`).join(', ')
    if (refusal) throw refusalError(refusal, run, names)
    return encoded.map((each) => storedRecord(each, each.text))
  }

  return {
    run,
    before,
    async append(record, { messagesRead } = {}) {
      const [stored] = await appendAll([record], messagesRead)
      return stored!
    },
    appendAll: (records) => appendAll(records),
    waitForAnswer: async (key, signal) => storage.wait(run, { kind: 'answer', key }, signal),
    async findAnswer(key) {
      const since = await storage.read(run, before.length)
      return since.find((record) => record.kind === 'answer' && record.key === key)
    },
    async waitForMessage(number, signal) {
      const known = messages[number]
      const message = known
        ? known.value
        : await storage.wait(run, { kind: 'message', key: messageKey(number) }, signal)
      return message as RunMessage
    },
    async close(options = {}) {
      if (closed) return
      closed = true
      await storage.release(run, epoch, options)
    },
  }
}
