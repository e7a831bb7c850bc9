import { describe, expect, onTestFinished, test } from 'vitest'
import { execute, newSchema, postgresUrl } from '../test/database.ts'
import { postgresJournal } from './postgres-journal.ts'
import { migrateJournal } from './schema.ts'

test('a wrong URL or schema is refused, and a password never shown', async () => {
  for (const options of [
    { url: 'nonsense with secret' },
    { url: 'postgres://x/y', schema: 'a"b' },
  ]) {
    const opened = async (): Promise<unknown> => postgresJournal(options).runs()
    await expect(opened()).rejects.toThrow(TypeError)
    await expect(opened()).rejects.not.toThrow('secret')
  }
  const journal = postgresJournal({ url: 'postgres://me:secret@127.0.0.1:9/data' })
  const problem = await journal.runs().then(
    () => undefined,
    (error: Error) => error,
  )
  expect(problem).toMatchObject({ name: 'JournalError', problem: 'failed' })
  expect(problem?.message).toContain('The journal at 127.0.0.1:9/data cannot be reached.')
  expect(problem?.message).not.toContain('secret')
})

describe('the tables', () => {
  const url = postgresUrl
  const runsOf = async (schema: string, at = url): Promise<unknown> => {
    const journal = postgresJournal({ url: at, schema })
    onTestFinished(() => journal.close())
    return journal.runs()
  }

  test('are created once, whoever does it', async () => {
    const schema = await newSchema()
    expect(await migrateJournal({ url, schema })).toEqual({ from: 3, to: 3 })
    const other = `${schema}_b`
    const made = await Promise.all([1, 2, 3].map(() => migrateJournal({ url, schema: other })))
    expect(made.filter(({ from }) => from === 0)).toHaveLength(1)
    expect(await runsOf(other)).toEqual([])
  })

  test('must be there, and of this version', async () => {
    await expect(runsOf('not_there')).rejects.toThrow(
      /There is no journal at .+\. Create it with: toolglot journal migrate URL/,
    )
    const schema = await newSchema()
    await execute(`UPDATE "${schema}".upkeep SET version = 9`)
    await expect(runsOf(schema)).rejects.toMatchObject({ problem: 'newer' })
    await expect(migrateJournal({ url, schema })).rejects.toMatchObject({ problem: 'newer' })
    await execute(`UPDATE "${schema}".upkeep SET version = 0`)
    await expect(runsOf(schema)).rejects.toThrow(/is of version 0, and this toolglot needs 3/)
  })

  test('that cannot be written are reported', async () => {
    const schema = await newSchema()
    const readOnly = `${url}?options=-c%20default_transaction_read_only%3Don`
    const refused = runsOf(schema, readOnly)
    await expect(refused).rejects.toMatchObject({ problem: 'read_only' })
    await expect(refused).rejects.toThrow('Use the primary server')
  })

  test('records that are missing are never taken for a run that did less', async () => {
    const schema = await newSchema()
    const journal = postgresJournal({ url, schema })
    onTestFinished(() => journal.close())
    const log = await journal.open('a')
    for (const key of ['x', 'y', 'z']) await log.append({ key, kind: 'begin', value: null })
    await log.close()
    for (const seq of [2, 3]) {
      await execute(`DELETE FROM "${schema}".records WHERE seq = ${seq}`)
      await expect(journal.open('a')).rejects.toMatchObject({ problem: 'corrupt' })
    }
    await expect(journal.read('a')).rejects.toThrow('Records of the run a are missing')
  })
})
