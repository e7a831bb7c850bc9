import { type Disk, journalOn } from '../../test/disk.ts'
import { testJournal } from '../../test/journal-conformance.ts'
import { memoryJournal } from './memory-journal.ts'

testJournal('memory', () => {
  const journal = memoryJournal()
  return () => journal
})

testJournal('memory that several journals share, as in tests', () => {
  const disk: Disk = new Map()
  return () => journalOn(disk)
})
