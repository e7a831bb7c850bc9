import {
  type Journal,
  JournalError,
  type JournalRecord,
  memoryJournal,
} from '../src/journal/index.ts'

/** Records that outlive the journals that wrote them, like a disk. */
export type Disk = Map<string, JournalRecord[]>

/** What goes wrong with a journal. */
export interface Trouble {
  /** The process dies at this append, counted from 0: before or after it is recorded. */
  readonly diesAt?: number
  readonly when?: 'before' | 'after'
  /** This append and all later ones fail. */
  readonly failsAt?: number
}

/** A journal on such a disk, for one process. `died` resolves when the process dies: what it awaits never resolves. */
export function journalOn(disk: Disk, trouble: Trouble = {}): Journal & { died: Promise<void> } {
  let die: () => void
  const died = new Promise<void>((resolve) => (die = resolve))
  let appends = 0
  const taken = new Set<string>()
  const recordsOf = (run: string): JournalRecord[] => {
    const records = disk.get(run) ?? []
    disk.set(run, records)
    return records
  }
  const write = (run: string, record: Omit<JournalRecord, 'time'>): void => {
    const value = JSON.parse(JSON.stringify(record.value ?? null)) as unknown
    recordsOf(run).push({ ...record, value, time: Date.now() })
  }
  return {
    // The methods that no run needs.
    ...memoryJournal(),
    died,
    async open(run) {
      if (taken.has(run)) throw new JournalError('busy', `${run} is open.`)
      taken.add(run)
      return {
        run,
        before: [...recordsOf(run)],
        async append(record) {
          const at = appends++
          if (trouble.failsAt !== undefined && at >= trouble.failsAt)
            throw new JournalError('full', 'There is no space left.')
          const isDeadly = trouble.diesAt !== undefined && at >= trouble.diesAt
          if (!isDeadly || (at === trouble.diesAt && trouble.when === 'after')) write(run, record)
          if (!isDeadly) return
          die()
          await new Promise(() => {})
        },
        waitForAnswer: (_key, signal) =>
          new Promise((_, reject) =>
            signal.addEventListener('abort', () => reject(signal.reason as Error)),
          ),
        async close() {
          taken.delete(run)
        },
      }
    },
    async read(run) {
      return [...(disk.get(run) ?? [])]
    },
    async answer(run, key, value) {
      if (recordsOf(run).some((each) => each.key === key && each.kind === 'answer')) return false
      write(run, { key, kind: 'answer', value })
      return true
    },
    async close() {},
  }
}
