import { describe, expect, onTestFinished, test } from 'vitest'
import { postgresUrl } from '../test/database.ts'
import { startProxy } from '../test/switching-proxy.ts'
import { type Database, openDatabase } from './database.ts'

describe('a database', () => {
  function open(url = postgresUrl): Database {
    const database = openDatabase({ url, maxConnections: 1 })
    onTestFinished(() => database.close())
    return database
  }

  test('that is busy makes callers wait', async () => {
    const { query } = open()
    const [, rows] = await Promise.all([query('SELECT pg_sleep(17)'), query('SELECT 1 AS one')])
    expect(rows).toEqual([{ one: 1 }])
  })

  test('that is unreachable is tried only once for all waiting callers, and used again once it is back', async () => {
    const proxy = await startProxy(postgresUrl)
    const { query } = open(proxy.url)
    proxy.switchTo(undefined)
    const all = await Promise.allSettled(Array.from({ length: 50 }, () => query('SELECT 1')))
    expect(new Set(all.map((each) => each.status === 'rejected' && each.reason)).size).toBe(1)
    proxy.switchTo(postgresUrl)
    expect(await query('SELECT 1 AS one')).toEqual([{ one: 1 }])
  })
})
