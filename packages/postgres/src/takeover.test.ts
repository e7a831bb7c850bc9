import type { Journal, JournalRecord } from '@toolglot/agent/journal'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { execute, newSchema, postgresUrl } from '../test/database.ts'
import { postgresJournal, type PostgresJournalOptions } from './postgres-journal.ts'

describe('taking over', () => {
  let schema: string
  beforeEach(async () => {
    schema = await newSchema()
  })

  function open(options: Partial<PostgresJournalOptions> = {}): Journal {
    const journal = postgresJournal({ url: postgresUrl, schema, lease: 600_000, ...options })
    onTestFinished(() => journal.close())
    return journal
  }
  const value = (key: string): Omit<JournalRecord, 'time'> => ({ key, kind: 'value', value: key })
  /** Changes the last renewal of all holders. */
  const renewedAt = (when: string): Promise<unknown> =>
    execute(
      `UPDATE "${schema}".holders SET renewed = ${when} WHERE holder IN (SELECT holder FROM "${schema}".runs)`,
    )
  const keys = async (journal: Journal): Promise<string[]> =>
    (await journal.read('a')).map(({ key }) => key)

  test('lets another process open the run of a silent process, which can record no more', async () => {
    const [one, other] = [open(), open()]
    const log = await one.open('a')
    await log.append(value('first'))
    await expect(other.open('a')).rejects.toThrow(
      /The run a is open in process \d+ on .+\. Only one process can record a run/,
    )
    await renewedAt(`now() - interval '1 hour'`)
    expect(await other.runs()).toMatchObject([{ state: 'interrupted' }])
    const taken = await other.open('a')
    expect(taken.before).toMatchObject([{ key: 'first' }])
    const late = log.append(value('late'))
    await expect(late).rejects.toMatchObject({ problem: 'busy' })
    await expect(late).rejects.toThrow('Another process has taken over the run a.')
    // The first process must not release a run that it no longer holds.
    await log.close()
    await taken.append(value('second'))
    await expect(one.open('a')).rejects.toMatchObject({ problem: 'busy' })
    expect(await keys(one)).toEqual(['first', 'second'])
  })

  test('a silent process continues if no other has taken over', async () => {
    const [one, other] = [open(), open()]
    const log = await one.open('a')
    await renewedAt(`now() - interval '1 hour'`)
    await log.append(value('late'))
    expect(await keys(other)).toEqual(['late'])
  })

  test('a clock that was in the future does not block a run for long', async () => {
    const [one, other] = [open(), open()]
    await one.open('a')
    await renewedAt(`now() + interval '1 year'`)
    await (await other.open('a')).append(value('here'))
  })

  test('an engine may take over at any time, but only the executing process stops the run', async () => {
    const [one, other] = [open(), open()]
    const log = await one.open('a')
    expect(await other.stop('a')).toBe(true)
    expect(await log.waitForMessage(0, new AbortController().signal)).toEqual({ type: 'stop' })
    await log.append(value('still here'))
    const taken = await other.open('a', { takeover: true })
    await expect(log.append(value('late'))).rejects.toMatchObject({ problem: 'busy' })
    await taken.append(value('next'))
    expect(await keys(one)).toEqual(['message/0', 'still here', 'next'])
  })

  test('if an engine calls the same process twice, only one of them records', async () => {
    const journal = open()
    const log = await journal.open('a')
    const again = await journal.open('a', { takeover: true })
    await expect(log.append(value('late'))).rejects.toMatchObject({ problem: 'busy' })
    // The first log must not release a run that it no longer holds.
    await log.close()
    await again.append(value('here'))
    await expect(journal.open('a')).rejects.toMatchObject({ problem: 'busy' })
    expect(await keys(journal)).toEqual(['here'])
  })

  test('the loss of written records is noticed', async () => {
    const [one, other] = [open(), open()]
    const log = await one.open('a')
    for (const key of ['x', 'y', 'z']) await log.append(value(key))
    // Like a failover to a standby that was behind.
    await execute(`DELETE FROM "${schema}".records WHERE seq > 1`)
    await execute(`UPDATE "${schema}".runs SET records = 1`)
    const late = log.append(value('late'))
    await expect(late).rejects.toMatchObject({ problem: 'corrupt' })
    await expect(late).rejects.toThrow('Records of the run a were written but are missing')
    await log.close()
    await (await other.open('a')).append(value('y'))
    expect(await keys(other)).toEqual(['x', 'y'])
  })

  test('closing a journal releases its runs', async () => {
    const [one, other] = [open(), open()]
    await one.open('a')
    await one.close()
    await (await other.open('a')).append(value('here'))
    expect(await execute(`SELECT * FROM "${schema}".holders`)).toHaveLength(1)
  })
})
