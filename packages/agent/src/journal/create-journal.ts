import { checkRunId, checkRunName, encodeRecord } from './check-record.ts'
import {
  type Journal,
  JournalError,
  type OpenRunOptions,
  type RunLog,
  type RunMessage,
} from './journal.ts'
import { checkMessages, checkMessageContent, messageKey } from './messages.ts'
import { readPending } from './read-pending.ts'
import { refusalError } from './refusal.ts'
import { runLog } from './run-log.ts'
import { stoppedEnd } from './stopped-end.ts'
import type { JournalStorage } from './storage.ts'

/** Makes a journal of a storage: everything about journals that does not depend on where the records are. */
export function createJournal(storage: JournalStorage): Journal {
  async function open(
    run: string,
    { imported = false, takeover = false }: OpenRunOptions = {},
  ): Promise<RunLog> {
    checkRunId(run)
    const held = await storage.hold(run, { imported, takeover, create: true })
    return runLog(storage, run, held!)
  }

  async function post(run: string, message: RunMessage): Promise<void> {
    const record = encodeRecord({ key: messageKey(0), kind: 'message', value: message })
    const refusal = await storage.post(run, record)
    if (refusal) throw refusalError(refusal, run, record.key)
  }

  /** Records the end of a stopped run, unless a live process has it open: that one will read that it must stop. */
  async function endStopped(run: string): Promise<void> {
    const held = await storage
      .hold(run, { imported: false, takeover: false, create: false })
      .catch((error: unknown) => {
        if (!isProblem(error, 'busy')) throw error
      })
    if (!held) return
    const log = runLog(storage, run, held)
    try {
      const end = stoppedEnd(held.records)
      if (end) await log.append(end)
    } finally {
      await log.close()
    }
  }

  return {
    open,
    read: async (run, after = 0) => storage.read(run, after),
    async changed(run, count, signal) {
      await storage.wait(run, { moreThan: count }, signal)
    },
    async waiting({ run } = {}) {
      return (await storage.waits(run)).map(readPending)
    },
    async answer(run, key, value) {
      const refusal = await storage.answer(run, encodeRecord({ key, kind: 'answer', value }))
      if (refusal) throw refusalError(refusal, run, key)
    },
    async send(run, message) {
      checkMessageContent(message)
      await post(run, { type: 'message', content: message })
    },
    async stop(run) {
      try {
        await post(run, { type: 'stop' })
      } catch (error) {
        if (isProblem(error, 'ended')) return false
        throw error
      }
      await endStopped(run)
      return true
    },
    runs: async (options = {}) => storage.runs(options),
    async rename(run, name) {
      checkRunName(name)
      return storage.rename(run, name)
    },
    remove: async (run) => storage.remove(run),
    prune: async (limits) => storage.prune(limits),
    async add({ run, name, records, imported = true }) {
      checkRunId(run)
      if (name !== undefined) checkRunName(name)
      checkMessages(records)
      if (new Set(records.map(({ kind, key }) => `${kind} ${key}`)).size < records.length)
        throw new TypeError(`expected at most one record of each kind per key in the run ${run}`)
      const encoded = records.map((record) => encodeRecord(record, record.time))
      const named = name === undefined ? {} : { name }
      if (!(await storage.add({ run, ...named, records: encoded, imported })))
        throw new JournalError('taken', `The run ${run} already exists.`)
    },
    close: () => storage.close(),
  }
}

function isProblem(error: unknown, problem: JournalError['problem']): boolean {
  return error instanceof JournalError && error.problem === problem
}
