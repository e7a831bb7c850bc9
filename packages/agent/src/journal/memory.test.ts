import { testJournal } from '../../test/journal-conformance.ts'
import { memoryJournal } from './memory.ts'

testJournal('memory', memoryJournal)
