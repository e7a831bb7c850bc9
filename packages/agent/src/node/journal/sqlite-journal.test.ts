import { join } from 'node:path'
import { folderOf } from '../../../../../tests/helpers/folder.ts'
import { testJournal } from '../../../test/journal-conformance.ts'
import { sqliteJournal } from './sqlite-journal.ts'

testJournal('sqlite', () => {
  const file = join(folderOf(), 'state', 'journal.sqlite')
  return () => sqliteJournal({ file })
})
