import { type Journal, JournalError, type JournalRecord, type RunLog } from './journal.ts'

/** A journal that lasts as long as the process does. */
export function memoryJournal(): Journal {
  const runs = new Map<string, JournalRecord[]>()
  const taken = new Set<string>()
  const waiting = new Map<string, (value: unknown) => void>()
  const recordsOf = (run: string): JournalRecord[] => {
    let records = runs.get(run)
    if (!records) runs.set(run, (records = []))
    return records
  }
  return {
    async open(run) {
      if (taken.has(run)) throw new JournalError('busy', `The run ${run} is open already.`)
      taken.add(run)
      const records = recordsOf(run)
      const log: RunLog = {
        run,
        before: [...records],
        async append(record) {
          // As a journal on a disk keeps it: nobody can change it afterwards.
          records.push({ ...record, value: copyOf(record.value), time: Date.now() })
        },
        answered: (key, signal) =>
          new Promise((resolve, reject) => {
            const name = nameOf(run, key)
            waiting.set(name, resolve)
            const stop = (): void => {
              waiting.delete(name)
              reject(signal.reason as Error)
            }
            if (signal.aborted) stop()
            else signal.addEventListener('abort', stop, { once: true })
          }),
        async close() {
          taken.delete(run)
        },
      }
      return log
    },
    async read(run) {
      return [...(runs.get(run) ?? [])]
    },
    async answer(run, key, value) {
      const records = recordsOf(run)
      if (records.some((record) => record.key === key && record.kind === 'value')) return false
      records.push({ key, kind: 'value', value: copyOf(value), time: Date.now() })
      waiting.get(nameOf(run, key))?.(value)
      waiting.delete(nameOf(run, key))
      return true
    },
    async close() {},
  }
}

function nameOf(run: string, key: string): string {
  return JSON.stringify([run, key])
}

function copyOf(value: unknown): unknown {
  return value === undefined ? null : (JSON.parse(JSON.stringify(value)) as unknown)
}
