import type { JournalRecord, RunLog } from '@toolglot/agent/journal'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { execute, newSchema, postgresUrl } from '../test/database.ts'
import {
  type PostgresJournal,
  postgresJournal,
  type PostgresJournalOptions,
} from './postgres-journal.ts'

describe('claiming', () => {
  let schema: string
  beforeEach(async () => {
    schema = await newSchema()
  })
  function open(options: Partial<PostgresJournalOptions> = {}): PostgresJournal {
    const journal = postgresJournal({ url: postgresUrl, schema, lease: 600_000, ...options })
    onTestFinished(() => journal.close())
    return journal
  }
  const step = (key: string, value: unknown = key): Omit<JournalRecord, 'time'> => ({
    key,
    kind: 'value',
    value,
  })
  const idsOf = (logs: readonly RunLog[]): string[] => logs.map(({ run }) => run).sort()
  async function addRun(journal: PostgresJournal, run: string, setup: object = {}): Promise<void> {
    const log = await journal.open(run)
    await log.append(step('run', { model: 'tiny', ...setup }))
    await log.close()
  }

  test('a run whose process died before its first record has not started', async () => {
    const [dead, other] = [open({ driven: true }), open({ driven: true })]
    await (await dead.open('closed')).close()
    await dead.open('empty')
    const begun = await dead.open('begun')
    await begun.append(step('run', {}))
    await execute(`UPDATE "${schema}".holders SET renewed = renewed - interval '1 hour'`)
    const claimed = await other.claim({ limit: 10 })
    expect(claimed.map(({ run }) => run)).toEqual(['begun'])
    expect(await other.runs({ run: 'empty' })).toEqual([])
  })

  test('takes only released runs for workers', async () => {
    const [driven, own] = [open({ driven: true }), open()]
    await addRun(driven, 'released')
    await addRun(own, 'of a person'.replaceAll(' ', '-'))
    await (await driven.open('held')).append(step('run', {}))
    const ended = await driven.open('ended')
    await ended.append(step('end/0', { reason: 'answer' }))
    await ended.close()
    await driven.add({ run: 'imported', records: [{ ...step('run', {}), kind: 'value', time: 5 }] })
    const [log, ...others] = await own.claim({ limit: 10 })
    expect(others).toEqual([])
    expect(log).toMatchObject({ run: 'released', before: [{ key: 'run' }] })
    await log!.append(step('turn/0'))
    expect(await driven.claim({ limit: 10 })).toEqual([])
    await log!.close()
    expect(idsOf(await driven.claim({ limit: 10 }))).toEqual(['released'])
  })

  test('takes the runs of dead processes', async () => {
    const [one, other] = [open({ driven: true }), open()]
    const log = await one.open('a')
    await log.append(step('run', {}))
    expect(await other.claim({ limit: 1 })).toEqual([])
    await execute(`UPDATE "${schema}".holders SET renewed = now() - interval '1 hour'`)
    expect(await other.status()).toMatchObject({ running: 0, orphaned: 1, due: 0 })
    expect(idsOf(await other.claim({ limit: 1 }))).toEqual(['a'])
    await expect(log.append(step('late'))).rejects.toMatchObject({ problem: 'busy' })
    expect((await other.read('a')).map(({ key }) => key)).toEqual(['run'])
  })

  test('gives each run to only one of many workers', async () => {
    const journal = open({ driven: true })
    const runs = Array.from({ length: 40 }, (_, index) => `run-${index}`)
    await Promise.all(runs.map((run) => addRun(journal, run)))
    const workers = [open(), open(), open()]
    const claimed: string[] = []
    while (claimed.length < runs.length) {
      const logs = await Promise.all(workers.map((worker) => worker.claim({ limit: 3 })))
      claimed.push(...idsOf(logs.flat()))
    }
    expect(claimed.sort()).toEqual(runs.sort())
  })

  test('lets owners take turns and respects limits', async () => {
    const journal = open({ driven: true })
    for (let index = 0; index < 6; index++)
      await addRun(journal, `busy-${index}`, { owner: 'busy' })
    await addRun(journal, 'calm-0', { owner: 'calm' })
    await addRun(journal, 'calm-1', { owner: 'calm', model: 'large' })
    await addRun(journal, 'nobody-0')
    const worker = open()
    expect(idsOf(await worker.claim({ limit: 3 }))).toEqual(['busy-0', 'calm-0', 'nobody-0'])
    expect(idsOf(await worker.claim({ limit: 2 }))).toEqual(['busy-1', 'calm-1'])
    expect(await worker.claim({ limit: 5, maxPerOwner: 2 })).toEqual([])
    expect(idsOf(await worker.claim({ limit: 5, maxPerOwner: 3 }))).toEqual(['busy-2'])
    expect(idsOf(await worker.claim({ limit: 5, maxPerModel: 6 }))).toEqual(['busy-3'])
    expect(await worker.claim({ limit: 5, maxPerModel: 6 })).toEqual([])
    await expect(worker.claim({ limit: 0 })).rejects.toThrow(
      'limit must be a positive whole number, not 0',
    )
  })

  test('leaves runs that are bound to another machine', async () => {
    const journal = open({ driven: true })
    await addRun(journal, 'bound', { host: 'here' })
    await addRun(journal, 'free')
    expect(idsOf(await open().claim({ limit: 5, host: 'there' }))).toEqual(['free'])
    expect(await open().claim({ limit: 5 })).toEqual([])
    expect(idsOf(await open().claim({ limit: 5, host: 'here' }))).toEqual(['bound'])
  })

  test('shows the counts of each process to all processes', async () => {
    const [one, other] = [open({ driven: true, lease: 900 }), open()]
    await addRun(one, 'a')
    const [log] = await one.claim({ limit: 1 })
    await log!.append(step('turn/0/call/0', { status: 'unknown' }))
    await other.open('a', { takeover: true })
    await expect(log!.append(step('late'))).rejects.toMatchObject({ problem: 'busy' })
    const counted = async (): Promise<unknown> => {
      const { processes } = await other.status()
      return processes.map(({ claimed, fenceLosses, unknownCalls, appends }) => ({
        claimed,
        fenceLosses,
        unknownCalls,
        appends,
      }))
    }
    await expect
      .poll(counted, { timeout: 30_000 })
      .toContainEqual({ claimed: 1, fenceLosses: 1, unknownCalls: 1, appends: 2 })
  })

  test('leaves a run that was started with another version, unless any version is allowed', async () => {
    const journal = open({ driven: true })
    await addRun(journal, 'old', { version: '1' })
    await addRun(journal, 'any')
    expect(idsOf(await open().claim({ limit: 5, version: '2' }))).toEqual(['any'])
    expect(await open().claim({ limit: 5, version: '2' })).toEqual([])
    expect(await open().claim({ limit: 5, except: ['old'] })).toEqual([])
    const [log] = await open().claim({ limit: 5, version: '1' })
    // A process that accepts a change continues with the new setup.
    await log!.append(step('run/1', { model: 'tiny', version: '2' }))
    await log!.close()
    expect(idsOf(await open().claim({ limit: 5, version: '2' }))).toEqual(['old'])
    expect(await journal.status()).toMatchObject({ due: 0 })
  })

  test('takes a suspended run once it is answered or its time is up', async () => {
    const journal = open({ driven: true })
    for (const [run, continueAt] of Object.entries({
      a: Infinity,
      b: Date.now() + 3_600_000,
      c: 5,
    })) {
      const log = await journal.open(run)
      await log.append({ key: 'x/approval/1', kind: 'wait', value: {} })
      await log.close({ continueAt })
    }
    expect(await journal.status()).toMatchObject({ due: 1, postponed: 1, waiting: 3 })
    expect(idsOf(await journal.claim({ limit: 5 }))).toEqual(['c'])
    await journal.answer('a', 'x/approval/1', { verdict: 'allow' })
    expect(idsOf(await journal.claim({ limit: 5 }))).toEqual(['a'])
  })

  test('makes a run that a worker cannot execute immediately available to other workers', async () => {
    const journal = open({ driven: true })
    await addRun(journal, 'a')
    for (let time = 0; time < 5; time++) {
      const [log] = await journal.claim({ limit: 1 })
      await log!.close({ untouched: true })
    }
    expect(await journal.status()).toMatchObject({ due: 1, postponed: 0 })
  })

  test('a run without progress is tried less and less often, until it gets an answer', async () => {
    const journal = open({ driven: true })
    await addRun(journal, 'a')
    const claim = (): Promise<readonly RunLog[]> => journal.claim({ limit: 1 })
    const isDue = async (): Promise<boolean> => (await journal.status()).due === 1
    for (const _ of [1, 2]) {
      expect(await isDue()).toBe(true)
      for (const log of await claim()) await log.close()
    }
    expect(await journal.status()).toMatchObject({ due: 0, postponed: 1 })
    expect(await claim()).toEqual([])
    await journal.send('a', 'Try again')
    const [log] = await claim()
    await log!.append(step('turn/0'))
    await log!.close()
    expect(await isDue()).toBe(true)
  })
})
