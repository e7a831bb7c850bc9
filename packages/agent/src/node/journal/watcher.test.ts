import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { folderOf } from '../../../../../tests/helpers/folder.ts'
import type { Journal } from '../../journal/journal.ts'
import type { WaitTarget } from '../../journal/waiters.ts'
import { type DatabaseThread, startDatabaseThread } from './database-thread.ts'
import { sqliteJournal } from './sqlite-journal.ts'
import { type Watcher, watchJournal } from './watcher.ts'

const RUNS = 500
const message: WaitTarget = { kind: 'message', key: 'message/0' }

interface Watched {
  readonly journal: Journal
  readonly watcher: Watcher
  /** Resolves after this many further polls. */
  readonly polls: (count: number) => Promise<void>
  /** Returns the number of statements executed, not counting polls. */
  readonly lookups: () => number
}

/** A watcher of a journal that another process writes to. */
async function watched(): Promise<Watched> {
  const file = join(folderOf(), 'journal.sqlite')
  const journal = sqliteJournal({ file })
  await journal.runs()
  const thread = startDatabaseThread()
  await thread.open(file, '')
  let polled = 0
  let looked = 0
  const counting: DatabaseThread = {
    ...thread,
    all(statement) {
      if (statement.sql === 'PRAGMA data_version') polled++
      else looked++
      return thread.all(statement)
    },
  }
  const watcher = watchJournal(counting, 1)
  onTestFinished(async () => {
    watcher.stop(new Error('The test is over.'))
    await thread.close()
    await journal.close()
  })
  return {
    journal,
    watcher,
    lookups: () => looked,
    async polls(count) {
      const until = polled + count
      while (polled < until) await new Promise((resolve) => setTimeout(resolve, 1))
    },
  }
}

/** Adds one waiter per run. The returned list grows with each run whose waiter resolves. */
function waitInAll({ watcher }: Watched, absentAt?: number): string[] {
  const found: string[] = []
  for (let index = 0; index < RUNS; index++) {
    const run = `run${index}`
    void watcher.wait(run, message, new AbortController().signal, absentAt).then(
      () => found.push(run),
      () => {},
    )
  }
  return found
}

test('does not search an unchanged journal, for any number of waiting callers', async () => {
  const all = await watched()
  // The first poll has nothing to compare with.
  const first = all.watcher.wait('a', message, new AbortController().signal).catch(() => {})
  await all.polls(2)
  const before = all.lookups()
  waitInAll(all, all.watcher.now())
  await all.polls(5)
  expect(all.lookups()).toBe(before)
  all.watcher.stop(new Error('enough'))
  await first
})

test('records of another process are found for all waiters with one statement', async () => {
  const all = await watched()
  const found = waitInAll(all)
  await all.polls(2)
  const before = all.lookups()
  expect(before).toBeLessThanOrEqual(2)
  await all.journal.open('run7')
  await all.journal.send('run7', 'hello')
  while (found.length === 0) await all.polls(1)
  expect(found).toEqual(['run7'])
  // Opening the run and sending the message are changes.
  expect(all.lookups() - before).toBeLessThanOrEqual(2)
})

test('records of this process are searched only for the waiters they concern', async () => {
  const all = await watched()
  const { watcher } = all
  waitInAll(all)
  const changes: string[] = []
  void watcher.wait('run1', { moreThan: 3 }, new AbortController().signal).then(
    () => changes.push('run1'),
    () => {},
  )
  await all.polls(3)
  const before = all.lookups()
  // There are no waiters for values or for this run.
  watcher.appended('run2', 'value')
  watcher.appended('other', 'message')
  await all.polls(2)
  expect(all.lookups()).toBe(before)
  watcher.appended('run2', 'message')
  watcher.appended('run1', 'value')
  await all.polls(2)
  expect(all.lookups()).toBe(before + 1)
  expect(changes).toEqual([])
})

test('a failure is reported to all waiters', async () => {
  const file = join(folderOf(), 'a.sqlite')
  const thread = startDatabaseThread()
  await thread.open(file, '')
  const watcher = watchJournal(thread, 1)
  const waiting = watcher.wait('a', message, new AbortController().signal, watcher.now())
  await Promise.all([expect(waiting).rejects.toThrow('ended'), thread.close()])
})
