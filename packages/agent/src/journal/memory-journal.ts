import { noUsage } from '../model/usage.ts'
import { createJournal } from './create-journal.ts'
import { type Journal, JournalError, type JournalRecord } from './journal.ts'
import { messageKey } from './keys.ts'
import { pendingWaits, whyNotPending } from './pending.ts'
import { importedError, type Refusal } from './refusal.ts'
import { addFacts, readRunFacts, type RunSummary, type RunTotals } from './run-summary.ts'
import type { EncodedRecord, JournalStorage, WaitRecord } from './storage.ts'
import { type Waiter, Waiters } from './waiters.ts'

/** Creates a journal in memory. Its contents are lost when the process ends. */
export function memoryJournal(): Journal {
  return createJournal(memoryStorage())
}

/**
 * The contents of a memory storage. Several storages can share it, like several processes sharing a
 * file.
 */
export interface Memory {
  readonly runs: Map<string, MemoryRun>
  readonly waiters: Waiters
}

/** A run in memory. */
interface MemoryRun {
  name: string | undefined
  readonly imported: boolean
  readonly created: number
  readonly records: JournalRecord[]
  readonly byId: Map<string, JournalRecord>
  totals: RunTotals
  /** The number of records included in the totals, which are updated on demand. */
  counted: number
  /** The storage that holds it. */
  holder: JournalStorage | undefined
  /** The number of times it has been held. */
  epoch: number
}

/** Creates an empty memory. */
export function createMemory(): Memory {
  return { runs: new Map(), waiters: new Waiters() }
}

/** Stores the records of a journal in memory. */
export function memoryStorage(memory: Memory = createMemory()): JournalStorage {
  const { runs, waiters } = memory

  function push(id: string, run: MemoryRun, record: EncodedRecord): Refusal | undefined {
    const name = recordId(record.kind, record.key)
    if (run.byId.has(name)) return 'taken'
    const stored = toStored(record)
    run.byId.set(name, stored)
    run.records.push(stored)
    waiters.of(id).forEach(settle)
    return undefined
  }

  function settle(waiter: Waiter): void {
    const { target } = waiter
    const run = runs.get(waiter.run)
    if ('moreThan' in target) {
      if (run && run.records.length > target.moreThan) waiter.resolve(undefined)
      return
    }
    const record = run?.byId.get(recordId(target.kind, target.key))
    if (record) waiter.resolve(record.value)
  }

  const storage: JournalStorage = {
    async hold(id, { imported, takeover, create }) {
      const run = runs.get(id) ?? (create ? newRun() : undefined)
      if (!run) return undefined
      if (run.holder && !takeover)
        throw new JournalError('busy', `The run ${id} is already open. Close it there first.`)
      if (run.imported && !imported) throw importedError(id)
      runs.set(id, run)
      run.holder = storage
      return { records: [...run.records], epoch: String(++run.epoch) }
    },
    async release(id, epoch) {
      const run = runs.get(id)
      if (run?.holder === storage && String(run.epoch) === epoch) run.holder = undefined
    },
    async append(id, epoch, records, messagesRead) {
      const run = runs.get(id)
      if (run?.holder !== storage || String(run.epoch) !== epoch) return 'lost'
      if (messagesRead !== undefined && run.byId.has(messageId(messagesRead))) return 'unread'
      const names = records.map(({ kind, key }) => recordId(kind, key))
      if (new Set(names).size < names.length || names.some((name) => run.byId.has(name)))
        return 'taken'
      for (const record of records) push(id, run, record)
      return undefined
    },
    async answer(id, record) {
      const run = runs.get(id)
      const refusal = refusalFromOutside(run)
      if (refusal || !run) return refusal
      return whyNotPending(run.records, record.key) ?? push(id, run, record)
    },
    async post(id, record) {
      const run = runs.get(id)
      const refusal = refusalFromOutside(run)
      if (refusal || !run) return refusal
      const number = run.records.filter(({ kind }) => kind === 'message').length
      return push(id, run, { ...record, key: messageKey(number) })
    },
    async read(id, after) {
      return runs.get(id)?.records.slice(after) ?? []
    },
    wait: (id, target, signal) => waiters.wait(id, target, signal, settle),
    async waits(wanted) {
      return [...runs]
        .filter(([id, run]) => (wanted ?? id) === id && !refusalFromOutside(run))
        .flatMap(([id, { records }]) => pendingWaits(records).map((wait) => waitOf(id, wait)))
        .sort((one, other) => one.time - other.time)
    },
    async runs({ search = '', limit = 100, owner, folder, run: only, containing }) {
      const wanted = search.toLowerCase()
      const one = only === undefined ? undefined : runs.get(only)
      const all = only === undefined ? [...runs] : one ? ([[only, one]] as const) : []
      return all
        .map(([id, run]) => summaryOf(id, run))
        .filter((summary) => owner === undefined || summary.owner === owner)
        .filter((summary) => folder === undefined || summary.folder === folder)
        .filter(({ run, name, prompt, model }) =>
          [run, name, prompt, model].some((text) => text?.toLowerCase().includes(wanted)),
        )
        .filter(({ run }) => containing === undefined || contains(runs.get(run), containing))
        .sort((one, other) => other.last - one.last)
        .slice(0, limit)
    },
    async rename(id, name) {
      const run = runs.get(id)
      if (run) run.name = name
      return run !== undefined
    },
    async remove(id) {
      if (runs.get(id)?.holder)
        throw new JournalError('busy', `The run ${id} is open. Stop it first.`)
      return runs.delete(id)
    },
    async prune({ runs: maxRuns = Infinity, days = Infinity }) {
      const oldest = Date.now() - days * 86_400_000
      const pruned = [...runs]
        .map(([id, run]) => summaryOf(id, run))
        .sort((one, other) => other.last - one.last)
        .filter(({ last }, index) => index >= maxRuns || last < oldest)
        .filter(({ run, name, state }) => !name && state !== 'waiting' && !runs.get(run)?.holder)
      pruned.forEach(({ run }) => runs.delete(run))
      return pruned.length
    },
    async add({ run: id, name, records, imported }) {
      if (runs.has(id)) return false
      const run: MemoryRun = { ...newRun(), name, imported }
      runs.set(id, run)
      for (const record of records) push(id, run, record)
      return true
    },
    async close() {},
  }
  return storage
}

function newRun(): MemoryRun {
  return {
    name: undefined,
    imported: false,
    created: Date.now(),
    records: [],
    byId: new Map(),
    totals: { usage: noUsage, turns: 0 },
    counted: 0,
    holder: undefined,
    epoch: 0,
  }
}

function toStored({ key, kind, time, text }: EncodedRecord): JournalRecord {
  return {
    key,
    kind,
    // Parsed for each caller, as if read from a disk, so that no caller can change the stored
    // value.
    get value() {
      return JSON.parse(text) as unknown
    },
    time,
  }
}

/** The reason why a run rejects records from outside, or undefined if it accepts them. */
function refusalFromOutside(run: MemoryRun | undefined): Refusal | undefined {
  if (!run) return 'missing'
  if (run.imported && !run.holder) return 'imported'
  return totalsOf(run).reason === undefined ? undefined : 'ended'
}

function totalsOf(run: MemoryRun): RunTotals {
  for (; run.counted < run.records.length; run.counted++) {
    const record = run.records[run.counted]!
    run.totals = addFacts(run.totals, readRunFacts(record), record.kind)
  }
  return run.totals
}

function waitOf(run: string, { key, value, time }: JournalRecord): WaitRecord {
  return { run, key, value, time }
}

function summaryOf(id: string, run: MemoryRun): RunSummary {
  const { reason, prompt, model, folder, protocol, owner, forkOf, usage, turns } = totalsOf(run)
  const waits = pendingWaits(run.records).length > 0
  return {
    run: id,
    name: run.name,
    prompt,
    model,
    folder,
    protocol,
    owner,
    usage,
    forkOf,
    started: run.records[0]?.time ?? run.created,
    last: run.records.at(-1)?.time ?? run.created,
    turns,
    state: reason ? 'finished' : waits ? 'waiting' : run.holder ? 'running' : 'interrupted',
    reason,
    imported: run.imported,
  }
}

function contains(run: MemoryRun | undefined, text: string): boolean {
  const wanted = inSmallLetters(JSON.stringify(text).slice(1, -1))
  return (
    run?.records.some(({ value }) =>
      inSmallLetters(JSON.stringify(value) ?? '').includes(wanted),
    ) ?? false
  )
}

/** Converts only the letters A to Z to lowercase, like SQLite. */
function inSmallLetters(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

function messageId(number: number): string {
  return recordId('message', messageKey(number))
}

function recordId(kind: string, key: string): string {
  return `${kind} ${key}`
}
