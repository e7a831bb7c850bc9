import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { folderOf } from '../../../../../tests/helpers/folder.ts'
import { startDatabaseThread, type Statement, type DatabaseThread } from './database-thread.ts'

async function databaseWith(table: string): Promise<DatabaseThread> {
  const thread = startDatabaseThread()
  onTestFinished(() => thread.close())
  await thread.open(join(folderOf(), 'a.sqlite'), 'PRAGMA journal_mode = WAL')
  await thread.commit([{ sql: table }])
  return thread
}
const insert = (a: number): Statement => ({ sql: 'INSERT INTO t VALUES (:a)', values: { a } })

test('concurrent commits share transactions', async () => {
  const thread = await databaseWith('CREATE TABLE t (a)')
  const frames = async (): Promise<number> => {
    const [row] = await thread.all({ sql: 'PRAGMA wal_checkpoint(PASSIVE)' })
    return Number(row?.['log'])
  }
  const before = await frames()
  await Promise.all(Array.from({ length: 200 }, (_, index) => thread.commit([insert(index)])))
  // Each transaction adds at least one frame.
  expect((await frames()) - before).toBeLessThan(20)
  expect(await thread.all({ sql: 'SELECT count(*) AS n FROM t' })).toEqual([{ n: 200 }])
})

test('a rejected unit leaves no trace and does not affect other units', async () => {
  const thread = await databaseWith('CREATE TABLE t (a UNIQUE)')
  const refused: Statement = { sql: 'DELETE FROM t WHERE a = 99', mustChange: true }
  const results = await Promise.allSettled([
    thread.commit([insert(1)]),
    thread.commit([insert(2), insert(1)]),
    thread.commit([insert(3), refused]),
    thread.commit([insert(4)]),
  ])
  expect(results.map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'rejected',
    'fulfilled',
  ])
  expect(await thread.all({ sql: 'SELECT a FROM t' })).toEqual([{ a: 1 }, { a: 4 }])
})

test('pending work is finished before closing; later work fails', async () => {
  const thread = await databaseWith('CREATE TABLE t (a)')
  const committed = thread.commit([insert(1)])
  const closed = thread.close()
  await committed
  await new Promise((resolve) => setImmediate(resolve))
  // Requests fail even while the thread is closing.
  await expect(thread.all({ sql: 'SELECT a FROM t' })).rejects.toThrow('ended')
  await closed
  await expect(thread.commit([insert(2)])).rejects.toThrow('ended')
  await thread.close()
})
