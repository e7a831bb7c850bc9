import { addUsage, noUsage } from '../model/usage.ts'
import { openCalls } from '../run/resume/history.ts'
import { type Turn, visibleText } from '../run/turn/recorded-turn.ts'
import {
  type Journal,
  JournalError,
  type JournalRecord,
  type OpenRunOptions,
  type RunLog,
  type RunMessage,
} from './journal.ts'
import { messageKey, parseKey, printKey } from './keys.ts'
import { readPending } from './pending.ts'
import {
  checkMessageContent,
  checkMessages,
  checkRunId,
  checkRunName,
  encodeRecord,
  storedRecord,
} from './record.ts'
import { refusalError } from './refusal.ts'
import { readRunFacts } from './run-summary.ts'
import type { HeldRun, JournalStorage } from './storage.ts'

/**
 * Creates a journal on top of a storage. It contains all code that does not depend on where records
 * are stored.
 */
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

  /**
   * Records the end of a stopped run, unless a live process has it open: that process will read the
   * stop order itself.
   */
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
        throw new TypeError(`The run ${run} has two records of the same kind with the same key.`)
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

/** The log of a run held by this process. */
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
      throw new TypeError('A message cannot be appended to a run. Send it with journal.send.')
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

/**
 * The end of a run that was stopped while no process was executing it. Undefined if it has already
 * ended.
 */
function stoppedEnd(records: readonly JournalRecord[]): Omit<JournalRecord, 'time'> | undefined {
  const isEnd = ({ kind, key }: JournalRecord): boolean =>
    kind === 'value' && parseKey(key)?.type === 'end'
  const lastStop = records
    .map((record) => record.kind === 'message' && (record.value as RunMessage).type === 'stop')
    .lastIndexOf(true)
  if (lastStop === -1 || records.slice(lastStop).some(isEnd)) return undefined
  const cancelled = readOdd(() => openCalls(records), []).map(printKey)
  const usages = records.flatMap((record) => readRunFacts(record).usage ?? [])
  return {
    key: printKey({ type: 'end', number: records.filter(isEnd).length }),
    kind: 'value',
    value: {
      reason: 'cancelled',
      text: lastText(records),
      usage: usages.reduce(addUsage, noUsage),
      error: 'The run was stopped.',
      ...(cancelled.length > 0 && { cancelled }),
    },
  }
}

/** The last text that the model wrote for the user. */
function lastText(records: readonly JournalRecord[]): string {
  const replies = records.filter(
    ({ kind, key }) => kind === 'value' && parseKey(key)?.type === 'turn',
  )
  const texts = replies
    .map(({ value }) => readOdd(() => visibleText(value as Turn).trim(), ''))
    .filter((text) => text !== '')
  return texts.at(-1) ?? ''
}

/** Reads a record that may contain any value. Returns `nothing` if reading throws. */
function readOdd<Value>(read: () => Value, nothing: Value): Value {
  try {
    return read()
  } catch {
    // The record is not a valid turn.
    return nothing
  }
}
