import { beforeEach, describe } from 'vitest'
import { testJournal } from '../../agent/test/journal-conformance.ts'
import { newSchema, postgresUrl } from '../test/database.ts'
import { postgresJournal } from './postgres-journal.ts'

describe('the journal', () => {
  let schemas: string[]
  beforeEach(async () => {
    schemas = [await newSchema(), await newSchema()]
  })

  testJournal('postgres', () => {
    const schema = schemas.pop()!
    return () => postgresJournal({ url: postgresUrl, schema })
  })
})
