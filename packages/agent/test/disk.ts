import { createJournal } from '../src/journal/create-journal.ts'
import { type Journal, JournalError, type JournalRecord } from '../src/journal/index.ts'
import type { JournalStorage } from '../src/journal/storage.ts'
import { createMemory, type Memory, memoryStorage } from '../src/journal/memory-journal.ts'

/** Records that survive the journals that wrote them, like on a disk. */
export type Disk = Map<string, JournalRecord[]>

/** A fault of a journal. */
export interface DiskFault {
  /** The process dies at this append, counting from 0, before or after it is recorded. */
  readonly diesAt?: number
  readonly when?: 'before' | 'after'
  /** This append and all later ones fail. */
  readonly failsAt?: number
}

/**
 * A journal on such a disk, for a single process. `died` resolves when the process dies: its
 * pending promises never settle, and other processes can open its runs.
 */
export function journalOn(disk: Disk, fault: DiskFault = {}): Journal & { died: Promise<void> } {
  let die: () => void
  const died = new Promise<void>((resolve) => (die = resolve))
  let appends = 0
  const memory = memories.get(disk) ?? createMemory()
  memories.set(disk, memory)
  const inner = memoryStorage(memory)
  const show = (): void => memory.runs.forEach(({ records }, run) => disk.set(run, records))

  const storage: JournalStorage = {
    ...inner,
    async hold(run, options) {
      if (memory.runs.get(run)?.holder && !options.takeover)
        throw new JournalError('busy', `${run} is open.`)
      const held = await inner.hold(run, options)
      show()
      return held
    },
    async append(run, epoch, records, messagesRead) {
      const first = appends
      appends += records.length
      if (fault.failsAt !== undefined && appends > fault.failsAt)
        throw new JournalError('full', 'There is no space left.')
      const isDeadly = fault.diesAt !== undefined && appends > fault.diesAt
      const isWritten = !isDeadly || (first <= fault.diesAt && fault.when === 'after')
      const refusal = isWritten ? await inner.append(run, epoch, records, messagesRead) : undefined
      if (!isDeadly) return refusal
      for (const held of memory.runs.values()) if (held.holder === inner) held.holder = undefined
      die()
      return new Promise(() => {})
    },
    async add(run) {
      const added = await inner.add(run)
      show()
      return added
    },
  }
  return { ...createJournal(storage), died }
}

const memories = new WeakMap<Disk, Memory>()
