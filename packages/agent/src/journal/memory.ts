import { checkName, checkRecord, checkRun } from './check-record.ts'
import { type Journal, JournalError, type JournalRecord, type RunLog } from './journal.ts'
import { factsOf, isWaiting, type RunSummary } from './summary.ts'

/** A journal that lasts as long as the process does. */
export function memoryJournal(): Journal {
  const runs = new Map<string, MemoryRun>()

  function push(run: MemoryRun, record: Omit<JournalRecord, 'time'>, time = Date.now()): boolean {
    const { key, kind } = record
    const text = checkRecord(record)
    const name = nameOf(kind, key)
    if (run.byName.has(name)) return false
    const kept: JournalRecord = {
      key,
      kind,
      time,
      // As a journal on a disk keeps it: nobody can change it afterwards.
      get value() {
        return JSON.parse(text) as unknown
      },
    }
    run.byName.set(name, kept)
    run.records.push(kept)
    if (kind === 'answer') run.waiting.get(key)?.forEach((resolve) => resolve(kept.value))
    return true
  }

  return {
    async open(name, { imported = false } = {}) {
      checkRun(name)
      const run = runs.get(name) ?? newRun()
      if (run.isOpen) throw new JournalError('busy', `The run ${name} is open already.`)
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
      if (reasonOf(run) && !run.byName.has(nameOf('wait', key))) return false
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
      checkName(to)
      const run = runs.get(name)
      if (run) run.name = to
      return run !== undefined
    },
    async remove(name) {
      if (runs.get(name)?.isOpen)
        throw new JournalError('busy', `The run ${name} is open: stop it first.`)
      return runs.delete(name)
    },
    async keep({ runs: most = Infinity, days = Infinity }) {
      const oldest = Date.now() - days * 86_400_000
      const summaries = [...runs].map(([name, run]) => summaryOf(name, run))
      const gone = summaries
        .sort((a, b) => b.last - a.last)
        .filter(({ last }, index) => index >= most || last < oldest)
        .filter(({ run, state }) => state !== 'waiting' && !runs.get(run)?.isOpen)
      gone.forEach(({ run }) => runs.delete(run))
      return gone.length
    },
    async add({ run: id, name, records }) {
      checkRun(id)
      if (name !== undefined) checkName(name)
      if (runs.has(id)) throw new JournalError('taken', `There is a run ${id} already.`)
      const run: MemoryRun = { ...newRun(), name, imported: true }
      for (const record of records) push(run, record, record.time)
      runs.set(id, run)
    },
    async close() {},
  }
}

/** Somebody may have written anything into it. */
export function importedError(run: string): JournalError {
  return new JournalError(
    'imported',
    `The run ${run} was recorded elsewhere, so its approvals were not given here. It can be read; to go on with it all the same, open it with imported: true.`,
  )
}

interface MemoryRun {
  name: string | undefined
  readonly imported: boolean
  readonly made: number
  readonly records: JournalRecord[]
  readonly byName: Map<string, JournalRecord>
  readonly waiting: Map<string, Set<(value: unknown) => void>>
  isOpen: boolean
}

function newRun(): MemoryRun {
  return {
    name: undefined,
    imported: false,
    made: Date.now(),
    records: [],
    byName: new Map(),
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
        throw new JournalError('taken', `There is a ${record.kind} of ${record.key} already.`)
    },
    answered: (key, signal) =>
      new Promise((resolve, reject) => {
        const given = run.byName.get(nameOf('answer', key))
        if (given) return resolve(given.value)
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
  const facts = run.records.map(factsOf)
  const reason = reasonOf(run)
  const waits = isWaiting(run.records)
  return {
    run: id,
    name: run.name,
    prompt: facts.find((fact) => fact.prompt)?.prompt,
    model: facts.find((fact) => fact.model)?.model,
    started: run.records[0]?.time ?? run.made,
    last: run.records.at(-1)?.time ?? run.made,
    turns: facts.filter((fact) => fact.turns).length,
    state: reason ? 'finished' : waits ? 'waiting' : run.isOpen ? 'running' : 'interrupted',
    reason,
    imported: run.imported,
  }
}

/** Why it has ended, if nothing was recorded since. */
function reasonOf({ records }: MemoryRun): string | undefined {
  const last = records.filter(({ kind }) => kind !== 'answer').at(-1)
  return last && factsOf(last).reason
}

function nameOf(kind: string, key: string): string {
  return `${kind} ${key}`
}
