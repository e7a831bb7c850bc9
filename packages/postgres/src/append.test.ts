import type { Journal, JournalRecord, RunLog } from '@toolglot/agent/journal'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { execute, newSchema, postgresUrl } from '../test/database.ts'
import { postgresJournal } from './postgres-journal.ts'

describe('appending', () => {
  let schema: string
  let journal: Journal
  beforeEach(async () => {
    schema = await newSchema()
    journal = postgresJournal({ url: postgresUrl, schema })
    onTestFinished(() => journal.close())
  })
  const value = (key: string): Omit<JournalRecord, 'time'> => ({ key, kind: 'value', value: key })
  const openRuns = (count: number): Promise<RunLog[]> =>
    Promise.all(Array.from({ length: count }, (_, index) => journal.open(`run-${index}`)))

  test('records that many runs append concurrently are in order in each run', async () => {
    const logs = await openRuns(40)
    const wanted = Array.from({ length: 10 }, (_, index) => `step/${index}`)
    await Promise.all(wanted.flatMap((key) => logs.map((log) => log.append(value(key)))))
    for (const { run } of logs)
      expect((await journal.read(run)).map(({ key }) => key)).toEqual(wanted)
  })

  test('a refusal affects no other run', async () => {
    const logs = await openRuns(6)
    await Promise.all(logs.map((log) => log.append(value('first'))))
    await journal.send('run-0', 'hello')
    const other = postgresJournal({ url: postgresUrl, schema })
    onTestFinished(() => other.close())
    await other.open('run-1', { takeover: true })
    const all = await Promise.allSettled(
      logs.map((log, index) =>
        log.append(value(index === 2 ? 'first' : 'second'), { messagesRead: 0 }),
      ),
    )
    const problems = all.map((each) =>
      each.status === 'rejected' ? (each.reason as { problem: string }).problem : undefined,
    )
    expect(problems).toEqual(['unread', 'busy', 'taken', undefined, undefined, undefined])
  })

  test('a broken connection neither loses nor duplicates a record', async () => {
    const logs = await openRuns(5)
    const wanted = Array.from({ length: 60 }, (_, index) => `step/${index}`)
    const breakAll = (): Promise<unknown> =>
      execute(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE application_name = 'toolglot' AND query LIKE '%"${schema}"%'`,
      )
    const breaking: Promise<unknown>[] = []
    await Promise.all(
      logs.map(async (log) => {
        for (const [index, key] of wanted.entries()) {
          if (log === logs[0] && index % 4 === 0) breaking.push(breakAll())
          await log.append(value(key))
        }
      }),
    )
    await Promise.all(breaking)
    for (const { run } of logs)
      expect((await journal.read(run)).map(({ key }) => key)).toEqual(wanted)
  })

  test('an identical record is refused unless it was sent before', async () => {
    const log = await journal.open('a')
    const [one, other] = await Promise.allSettled([
      log.append(value('same')),
      log.append(value('same')),
    ])
    expect([one.status, other.status]).toEqual(['fulfilled', 'rejected'])
  })

  test('accepts arbitrary text', async () => {
    const log = await journal.open('a')
    const messages = [{ role: 'user', content: 'NUL \u0000 and half \ud800 of a character' }]
    await log.append({ key: 'run', kind: 'value', value: { model: 'a\u0000b', messages } })
    await journal.rename('a', 'Mine \u0000')
    const [run] = await journal.runs({ search: 'nul \u0000' })
    expect(run).toMatchObject({
      name: 'Mine \ufffd',
      model: 'a\ufffdb',
      prompt: 'NUL \ufffd and half  of a character',
    })
    expect((await journal.read('a'))[0]?.value).toMatchObject({ model: 'a\u0000b', messages })
  })
})
