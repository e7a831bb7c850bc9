import { testJournal } from '../../test/journal-conformance.ts'
import { memoryJournal } from './memory-journal.ts'

testJournal('memory', memoryJournal)
