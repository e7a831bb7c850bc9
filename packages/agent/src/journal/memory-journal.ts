import { createJournal } from './create-journal.ts'
import type { Journal } from './journal.ts'
import { memoryStorage } from './memory-storage.ts'

/** Creates a journal in memory. It is lost when the process ends. */
export function memoryJournal(): Journal {
  return createJournal(memoryStorage())
}
