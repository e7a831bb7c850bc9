import { checkRunName, encodeRecord, checkRunId } from './check-record.ts'
import { type Journal, JournalError, type JournalRecord, type RunLog } from './journal.ts'
import { readRunFacts, isWaiting, type RunSummary } from './run-summary.ts'

/** Creates a journal in memory. It is lost when the process ends. */
export function memoryJournal(): Journal {
  const runs = new Map<string, MemoryRun>()

  function push(run: MemoryRun, record: Omit<JournalRecord, 'time'>, time = Date.now()): boolean {
    const { key, kind } = record
    const text = encodeRecord(record)
    const id = recordId(kind, key)
    if (run.byId.has(id)) return false
    const stored: JournalRecord = {
      key,
      kind,
      time,
      // Parsed each time, as from a disk: no caller can change it.
      get value() {
        return JSON.parse(text) as unknown
      },
    }
    run.byId.set(id, stored)
    run.records.push(stored)
    if (kind === 'answer') run.waiting.get(key)?.forEach((resolve) => resolve(stored.value))
    return true
  }

  return {
    async open(name, { imported = false } = {}) {
      checkRunId(name)
      const run = runs.get(name) ?? newRun()
      if (run.isOpen) throw new JournalError('busy', `The run ${name} is already open.`)
      if (run.imported && !imported) throw importedError(name)
      runs.set(name, run)
      run.isOpen = true
      return logOf(name, run, push)
    },
    async read(run) {
      return [...(runs.get(run)?.records ?? [])]
    },
    async answer(name, key, value) {
      const run = runs.get(name)
      if (!run) return false
      if (reasonOf(run) && !run.byId.has(recordId('wait', key))) return false
      return push(run, { key, kind: 'answer', value })
    },
    async runs({ search = '', limit = 100 } = {}) {
      const wanted = search.toLowerCase()
      return [...runs]
        .map(([name, run]) => summaryOf(name, run))
        .filter(({ run, name, prompt, model }) =>
          [run, name, prompt, model].some((text) => text?.toLowerCase().includes(wanted)),
        )
        .sort((a, b) => b.last - a.last)
        .slice(0, limit)
    },
    async rename(name, to) {
      checkRunName(to)
      const run = runs.get(name)
      if (run) run.name = to
      return run !== undefined
    },
    async remove(name) {
      if (runs.get(name)?.isOpen)
        throw new JournalError('busy', `The run ${name} is open. Stop it first.`)
      return runs.delete(name)
    },
    async prune({ runs: maxRuns = Infinity, days = Infinity }) {
      const oldest = Date.now() - days * 86_400_000
      const summaries = [...runs].map(([name, run]) => summaryOf(name, run))
      const pruned = summaries
        .sort((a, b) => b.last - a.last)
        .filter(({ last }, index) => index >= maxRuns || last < oldest)
        .filter(({ run, state }) => state !== 'waiting' && !runs.get(run)?.isOpen)
      pruned.forEach(({ run }) => runs.delete(run))
      return pruned.length
    },
    async add({ run: id, name, records }) {
      checkRunId(id)
      if (name !== undefined) checkRunName(name)
      if (runs.has(id)) throw new JournalError('taken', `The run ${id} already exists.`)
      const run: MemoryRun = { ...newRun(), name, imported: true }
      for (const record of records) push(run, record, record.time)
      runs.set(id, run)
    },
    async close() {},
  }
}

/** An imported run may contain anything, so opening it must be deliberate. */
export function importedError(run: string): JournalError {
  return new JournalError(
    'imported',
    `The run ${run} was recorded elsewhere, so its approvals were not given here. It can be read. To resume it anyway, open it with imported: true.`,
  )
}

interface MemoryRun {
  name: string | undefined
  readonly imported: boolean
  readonly created: number
  readonly records: JournalRecord[]
  readonly byId: Map<string, JournalRecord>
  readonly waiting: Map<string, Set<(value: unknown) => void>>
  isOpen: boolean
}

function newRun(): MemoryRun {
  return {
    name: undefined,
    imported: false,
    created: Date.now(),
    records: [],
    byId: new Map(),
    waiting: new Map(),
    isOpen: false,
  }
}

function logOf(
  name: string,
  run: MemoryRun,
  push: (run: MemoryRun, record: Omit<JournalRecord, 'time'>) => boolean,
): RunLog {
  let closed = false
  return {
    run: name,
    before: [...run.records],
    async append(record) {
      if (closed) throw new JournalError('failed', `The run ${name} was closed.`)
      if (!push(run, record))
        throw new JournalError('taken', `The record ${record.kind} ${record.key} already exists.`)
    },
    waitForAnswer: (key, signal) =>
      new Promise((resolve, reject) => {
        const answer = run.byId.get(recordId('answer', key))
        if (answer) return resolve(answer.value)
        if (signal.aborted) return reject(signal.reason as Error)
        const waiting = run.waiting.get(key) ?? new Set()
        run.waiting.set(key, waiting)
        const stop = (): void => {
          waiting.delete(settle)
          reject(signal.reason as Error)
        }
        const settle = (value: unknown): void => {
          waiting.delete(settle)
          signal.removeEventListener('abort', stop)
          resolve(value)
        }
        waiting.add(settle)
        signal.addEventListener('abort', stop, { once: true })
      }),
    async close() {
      if (!closed) run.isOpen = false
      closed = true
    },
  }
}

function summaryOf(id: string, run: MemoryRun): RunSummary {
  const facts = run.records.map(readRunFacts)
  const reason = reasonOf(run)
  const waits = isWaiting(run.records)
  return {
    run: id,
    name: run.name,
    prompt: facts.find((fact) => fact.prompt)?.prompt,
    model: facts.find((fact) => fact.model)?.model,
    started: run.records[0]?.time ?? run.created,
    last: run.records.at(-1)?.time ?? run.created,
    turns: facts.filter((fact) => fact.turns).length,
    state: reason ? 'finished' : waits ? 'waiting' : run.isOpen ? 'running' : 'interrupted',
    reason,
    imported: run.imported,
  }
}

/** Why the run ended, if nothing was recorded since. */
function reasonOf({ records }: MemoryRun): string | undefined {
  const last = records.filter(({ kind }) => kind !== 'answer').at(-1)
  return last && readRunFacts(last).reason
}

function recordId(kind: string, key: string): string {
  return `${kind} ${key}`
}
