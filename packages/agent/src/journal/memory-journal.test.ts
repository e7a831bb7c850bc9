import { testJournal } from '../../test/journal-conformance.ts'
import { memoryJournal } from './memory-journal.ts'

testJournal('memory', () => {
  const journal = memoryJournal()
  return () => journal
})
