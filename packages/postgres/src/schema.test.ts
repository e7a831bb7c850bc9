import { describe, expect, onTestFinished, test } from 'vitest'
import { execute, newSchema, postgresUrl } from '../test/database.ts'
import { postgresJournal } from './postgres-journal.ts'
import { migrateJournal } from './schema.ts'

test('a wrong URL or schema is rejected without showing a password', async () => {
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

  test('are created once by concurrent processes', async () => {
    const schema = await newSchema()
    expect(await migrateJournal({ url, schema })).toEqual({ from: 4, to: 4 })
    const other = `${schema}_b`
    const made = await Promise.all([1, 2, 3].map(() => migrateJournal({ url, schema: other })))
    expect(made.filter(({ from }) => from === 0)).toHaveLength(1)
    expect(await runsOf(other)).toEqual([])
  })

  test('must exist', async () => {
    await expect(runsOf('not_there')).rejects.toThrow(
      /There is no journal at .+\. Create it with: toolglot journal migrate URL/,
    )
  })

  test.each([0, 3, 99])(
    'of version %i are moved aside with all of their content',
    async (version) => {
      const schema = await newSchema()
      const first = postgresJournal({ url, schema })
      await first.add({ run: 'old', records: [{ key: 'run', kind: 'value', value: 1, time: 5 }] })
      await first.close()
      await execute(`UPDATE "${schema}".upkeep SET version = ${version}`)
      const said: string[] = []
      const journals = [1, 2, 3].map(() =>
        postgresJournal({ url, schema, warn: (text) => said.push(text) }),
      )
      onTestFinished(async () => void (await Promise.all(journals.map((each) => each.close()))))
      expect(await Promise.all(journals.map((each) => each.runs()))).toEqual([[], [], []])
      const aside = `${schema}_version_${version}`
      expect(said).toHaveLength(1)
      expect(said[0]).toContain(
        `has version ${version}, but this toolglot uses version 4, so it was moved to the schema ${aside} and a new one was started; nothing was deleted.`,
      )
      expect(await execute(`SELECT run FROM "${aside}".records`)).toEqual([{ run: 'old' }])
      await journals[0]!.open('new')
      expect(await journals[1]!.runs()).toMatchObject([{ run: 'new' }])
    },
  )

  test('of another version are moved by the command and never replace each other', async () => {
    const schema = await newSchema()
    for (const name of ['', '_2']) {
      await execute(`UPDATE "${schema}".upkeep SET version = 2`)
      const movedTo = `${schema}_version_2${name}`
      expect(await migrateJournal({ url, schema })).toEqual({ from: 2, to: 4, movedTo })
    }
  })

  test('of another version are kept while other processes use them', async () => {
    const schema = await newSchema()
    const other = postgresJournal({ url, schema })
    onTestFinished(() => other.close())
    await other.open('a')
    await execute(`UPDATE "${schema}".upkeep SET version = 3`)
    await expect(runsOf(schema)).rejects.toMatchObject({ problem: 'busy' })
    await expect(migrateJournal({ url, schema })).rejects.toThrow('nothing was changed. Stop them')
    expect(await other.runs()).toMatchObject([{ run: 'a' }])
  })

  test('that are read-only are reported', async () => {
    const schema = await newSchema()
    const readOnly = `${url}?options=-c%20default_transaction_read_only%3Don`
    const refused = runsOf(schema, readOnly)
    await expect(refused).rejects.toMatchObject({ problem: 'read_only' })
    await expect(refused).rejects.toThrow('Use the primary server')
  })

  test('missing records are not mistaken for a shorter run', async () => {
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
