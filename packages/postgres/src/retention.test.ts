import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { execute, newSchema, postgresUrl } from '../test/database.ts'
import { openDatabase } from './database.ts'
import { postgresJournal } from './postgres-journal.ts'
import { pruneIfDue } from './retention.ts'

describe('retention', () => {
  let schema: string
  beforeEach(async () => {
    schema = await newSchema()
  })
  const never = new AbortController().signal

  test('old runs are deleted once a day, by one process', async () => {
    const journal = postgresJournal({ url: postgresUrl, schema })
    onTestFinished(() => journal.close())
    const databases = [1, 2, 3].map(() => openDatabase({ url: postgresUrl, schema }))
    onTestFinished(async () => {
      for (const database of databases) await database.close()
    })
    const addRuns = async (from: number): Promise<void> => {
      for (let index = from; index < from + 120; index++)
        await journal.add({
          run: `run-${index}`,
          records: [{ key: 'k', kind: 'value', value: 1, time: index }],
        })
    }
    const left = async (): Promise<number> => (await journal.runs({ limit: 1000 })).length
    const prune = (signal = never): Promise<unknown> =>
      Promise.all(databases.map((database) => pruneIfDue(database, { runs: 5 }, signal)))
    await addRuns(0)
    await prune()
    expect(await left()).toBe(5)
    await addRuns(200)
    await prune()
    expect(await left()).toBe(125)
    await execute(`UPDATE "${schema}".upkeep SET pruned = now() - interval '25 hours'`)
    await prune(AbortSignal.abort())
    expect(await left()).toBe(125)
    // If a process is interrupted, another one prunes.
    await prune()
    expect(await left()).toBe(5)
  })

  test('a journal deletes its old runs automatically', async () => {
    const journal = postgresJournal({ url: postgresUrl, schema, retention: { days: 1 } })
    onTestFinished(() => journal.close())
    await journal.add({ run: 'old', records: [{ key: 'k', kind: 'value', value: 1, time: 5 }] })
    await (await journal.open('new')).close()
    await expect
      .poll(async () => (await journal.runs()).map(({ run }) => run), { timeout: 30_000 })
      .toEqual(['new'])
  })
})
