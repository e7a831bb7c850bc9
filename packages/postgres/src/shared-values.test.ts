import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { execute, newSchema, postgresUrl } from '../test/database.ts'
import { postgresJournal, type PostgresJournal } from './postgres-journal.ts'

describe('shared values', () => {
  let schema: string
  beforeEach(async () => {
    schema = await newSchema()
  })
  function open(): PostgresJournal['values'] {
    const journal = postgresJournal({ url: postgresUrl, schema })
    onTestFinished(() => journal.close())
    return journal.values
  }
  const later = (time: string): Promise<unknown> =>
    execute(`UPDATE "${schema}".shared SET expires = expires - interval '${time}'`)

  test('are added, read and removed once by concurrent processes', async () => {
    const [one, other] = [open(), open()]
    const value = { text: 'a \u0000 \ud800 b' }
    const added = await Promise.all([one, other].map((each) => each.add('s', 'k', value)))
    expect(added.filter(Boolean)).toHaveLength(1)
    expect(await other.get('s', 'k')).toEqual(value)
    expect(await other.get('t', 'k')).toBeUndefined()
    expect(await other.get('s', 'k', { owner: 'me' })).toBeUndefined()
    expect(await one.list('s')).toEqual(new Map([['k', value]]))
    const removed = await Promise.all([one, other, one].map((each) => each.remove('s', 'k')))
    expect(removed.filter(Boolean)).toHaveLength(1)
    await one.add('s', 'x', 1)
    await other.clear('s')
    expect(await one.list('s')).toEqual(new Map())
  })

  test('are invisible once expired, can be added again, and are deleted in the background', async () => {
    const values = open()
    await values.add('s', 'k', 1, { lifetime: 1000 })
    await values.add('s', 'renewed', 1, { lifetime: 1000 })
    await values.add('s', 'kept', 1)
    await values.get('s', 'renewed', { renew: 100_000 })
    await later('10 seconds')
    expect(await values.get('s', 'k')).toBeUndefined()
    expect(await values.remove('s', 'k')).toBe(false)
    expect([...(await values.list('s')).keys()]).toEqual(['kept', 'renewed'])
    await values.add('s', 'k', 1, { lifetime: 1000 })
    await later('10 seconds')
    expect(await values.add('s', 'k', 2)).toBe(true)
    expect(await values.get('s', 'k')).toBe(2)
    await values.add('s', 'old', 1, { lifetime: 1 })
    open()
    await expect
      .poll(
        async () => {
          await open().get('s', 'kept')
          return execute(`SELECT 1 FROM "${schema}".shared WHERE key = 'old'`)
        },
        { timeout: 30_000, interval: 1500 },
      )
      .toEqual([])
  })

  test('are limited per owner to the most recently used', async () => {
    const values = open()
    const limits = { count: 3, size: 1000 }
    for (const key of ['a', 'b', 'c']) {
      await values.add('s', key, key, { owner: 'me', limits })
      await values.add('s', key, key, { owner: 'you', limits })
    }
    await values.get('s', 'a', { owner: 'me', renew: 1000 })
    await values.add('s', 'd', 'd', { owner: 'me', limits })
    const found = async (owner: string, keys: string): Promise<string> => {
      const all = await Promise.all(keys.split('').map((key) => values.get('s', key, { owner })))
      return all.map((each) => (typeof each === 'string' ? each[0] : '-')).join('')
    }
    expect(await found('me', 'abcd')).toBe('a-cd')
    expect(await found('you', 'abcd')).toBe('abc-')
    await values.add('s', 'e', 'x'.repeat(998), { owner: 'me', limits })
    expect((await found('me', 'acde')).slice(0, 3)).toBe('---')
  })
})
