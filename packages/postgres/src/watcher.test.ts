import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { execute, newSchema, postgresUrl } from '../test/database.ts'
import { postgresJournal } from './postgres-journal.ts'

describe('notices', () => {
  let schema: string
  beforeEach(async () => {
    schema = await newSchema()
  })
  const never = new AbortController().signal

  test('lost while the connection is down do not prevent finding records', async () => {
    const [one, other] = [0, 1].map(() => {
      const journal = postgresJournal({ url: postgresUrl, schema })
      onTestFinished(() => journal.close())
      return journal
    })
    const log = await one!.open('a')
    const message = log.waitForMessage(0, never)
    const changed = one!.changed('a', 0, never)
    const listening = `application_name = 'toolglot' AND query = 'LISTEN "toolglot_${schema}"'`
    await execute(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${listening}`)
    await other!.send('a', 'hello')
    expect(await message).toMatchObject({ content: 'hello' })
    await changed
    // The connection for notices is restored.
    await expect
      .poll(() => execute(`SELECT 1 FROM pg_stat_activity WHERE ${listening}`), { timeout: 30_000 })
      .not.toEqual([])
    const next = log.waitForMessage(1, never)
    await other!.send('a', 'again')
    expect(await next).toMatchObject({ content: 'again' })
  })

  test('for more runs than fit into one notice wake all waiters', async () => {
    const [one, other] = [0, 1].map(() => {
      const journal = postgresJournal({ url: postgresUrl, schema })
      onTestFinished(() => journal.close())
      return journal
    })
    const runs = Array.from({ length: 60 }, (_, index) => `${'x'.repeat(190)}-${index}`)
    const changes = runs.map((run) => one!.changed(run, 0, never))
    const logs = await Promise.all(runs.map((run) => other!.open(run)))
    await Promise.all(logs.map((log) => log.append({ key: 'k', kind: 'value', value: 1 })))
    await Promise.all(changes)
  })
})
