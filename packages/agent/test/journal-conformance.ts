import { describe, expect, onTestFinished, test } from 'vitest'
import type { Journal, JournalRecord } from '../src/journal/journal.ts'
import { exportRun, importRuns } from '../src/journal/json-lines.ts'

/** The tests that every journal must pass. */
export function testJournal(name: string, make: () => Journal): void {
  function journalOf(): Journal {
    const journal = make()
    onTestFinished(() => journal.close())
    return journal
  }
  const start = { model: 'tiny', messages: [{ role: 'user', content: 'Count the files' }] }

  describe(`${name}: records`, () => {
    test('are read as they were written, in order, by anyone', async () => {
      const journal = journalOf()
      const log = await journal.open('a')
      expect(log).toMatchObject({ run: 'a', before: [] })
      const values = [null, 'tëxt \u0000 \ud800', 0.1, { deep: [{ __proto__: null, x: true }] }]
      for (const [index, value] of values.entries()) {
        await log.append({ key: `step ${index}`, kind: 'begin', value: null })
        await log.append({ key: `step ${index}`, kind: 'value', value })
      }
      const records = await journal.read('a')
      expect(records.filter(({ kind }) => kind === 'value').map(({ value }) => value)).toEqual(
        values,
      )
      expect(records.map(({ key, kind }) => `${kind} ${key}`).slice(0, 3)).toEqual([
        'begin step 0',
        'value step 0',
        'begin step 1',
      ])
      expect(await journal.read('b')).toEqual([])
    })

    test('are there when the run is opened again, and cannot be changed', async () => {
      const journal = journalOf()
      const value = { list: [1] }
      const log = await journal.open('a')
      await log.append({ key: 'k', kind: 'value', value })
      value.list.push(2)
      await log.close()
      const again = await journal.open('a')
      expect(again.before).toMatchObject([{ key: 'k', kind: 'value', value: { list: [1] } }])
    })

    test('are unique per key and kind', async () => {
      const log = await journalOf().open('a')
      await log.append({ key: 'k', kind: 'begin', value: null })
      await log.append({ key: 'k', kind: 'value', value: 1 })
      await expect(log.append({ key: 'k', kind: 'value', value: 2 })).rejects.toMatchObject({
        problem: 'taken',
      })
    })

    test('are rejected with an explanation if they are invalid', async () => {
      const journal = journalOf()
      const log = await journal.open('a')
      const wrong: [Omit<JournalRecord, 'time'>, RegExp][] = [
        [{ key: '', kind: 'value', value: 1 }, /expected a key/],
        [{ key: 'a\nb', kind: 'value', value: 1 }, /expected a key/],
        [{ key: 'x'.repeat(501), kind: 'value', value: 1 }, /expected a key/],
        [{ key: 'k', kind: 'other' as 'value', value: 1 }, /of kind begin, value/],
        [{ key: 'k', kind: 'value', value: 1n }, /BigInt/],
        [{ key: 'k', kind: 'value', value: () => 1 }, /JSON can represent, got a function/],
      ]
      for (const [record, message] of wrong)
        await expect(log.append(record)).rejects.toThrow(message)
      for (const run of ['', '../a', 'a b', '-a', 'x'.repeat(201)])
        await expect(journal.open(run)).rejects.toThrow(TypeError)
      expect(await journal.read('a')).toEqual([])
    })
  })

  describe(`${name}: one process records a run`, () => {
    test('it cannot be opened again until it is closed', async () => {
      const journal = journalOf()
      const log = await journal.open('a')
      await expect(journal.open('a')).rejects.toMatchObject({ problem: 'busy' })
      await log.close()
      await log.close()
      await expect(log.append({ key: 'k', kind: 'value', value: 1 })).rejects.toThrow('closed')
      const again = await journal.open('a')
      await again.append({ key: 'k', kind: 'value', value: 1 })
      await expect(log.append({ key: 'l', kind: 'value', value: 1 })).rejects.toThrow('closed')
    })

    test('if it is opened twice at once, one is refused', async () => {
      const journal = journalOf()
      const both = await Promise.allSettled([journal.open('a'), journal.open('a')])
      expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    })
  })

  describe(`${name}: answers`, () => {
    const never = new AbortController().signal

    test('reach everything that waits, earlier or later, and the first one counts', async () => {
      const journal = journalOf()
      const log = await journal.open('a')
      const waiting = log.waitForAnswer('ok?', never)
      const waitingToo = log.waitForAnswer('ok?', never)
      expect(await journal.answer('a', 'ok?', { yes: true })).toBe(true)
      expect(await journal.answer('a', 'ok?', { yes: false })).toBe(false)
      expect([await waiting, await waitingToo, await log.waitForAnswer('ok?', never)]).toEqual([
        { yes: true },
        { yes: true },
        { yes: true },
      ])
      expect(await journal.read('a')).toMatchObject([{ key: 'ok?', kind: 'answer' }])
    })

    test('only one of many at once counts', async () => {
      const journal = journalOf()
      await journal.open('a')
      const all = await Promise.all(
        Array.from({ length: 20 }, (_, index) => journal.answer('a', 'k', index)),
      )
      expect(all.filter(Boolean)).toHaveLength(1)
      const [record] = await journal.read('a')
      expect(all[Number(record?.value)]).toBe(true)
    })

    test('to an ended or unknown run are refused', async () => {
      const journal = journalOf()
      const log = await journal.open('a')
      await log.append({ key: 'asked', kind: 'wait', value: null })
      await log.append({ key: 'end', kind: 'value', value: { reason: 'cancelled' } })
      expect(await journal.answer('a', 'k', 1)).toBe(false)
      // The run can resume with this one.
      expect(await journal.answer('a', 'asked', 1)).toBe(true)
      expect(await journal.runs()).toMatchObject([{ state: 'finished' }])
      expect(await journal.answer('b', 'k', 1)).toBe(false)
      expect(await journal.read('b')).toEqual([])
      expect(await journal.runs()).toHaveLength(1)
    })

    test('are not waited for after an abort', async () => {
      const journal = journalOf()
      const log = await journal.open('a')
      const stop = new AbortController()
      const waiting = log.waitForAnswer('k', stop.signal)
      stop.abort(new Error('enough'))
      await expect(waiting).rejects.toThrow('enough')
      await expect(log.waitForAnswer('k', stop.signal)).rejects.toThrow('enough')
      expect(await journal.answer('a', 'k', 1)).toBe(true)
    })
  })

  describe(`${name}: the list of runs`, () => {
    test('describes each run and its state', async () => {
      const journal = journalOf()
      const log = await journal.open('a')
      await log.append({ key: 'run', kind: 'value', value: start })
      const [running] = await journal.runs()
      expect(running).toMatchObject({
        run: 'a',
        prompt: 'Count the files',
        model: 'tiny',
        turns: 0,
      })
      expect(running).toMatchObject({ state: 'running', name: undefined, imported: false })
      await log.append({ key: 'turn/1', kind: 'value', value: {} })
      await log.append({ key: 'turn/1/call/1', kind: 'value', value: {} })
      await log.append({ key: 'turn/2', kind: 'value', value: {} })
      await log.append({ key: 'ok?', kind: 'wait', value: null })
      expect(await journal.runs()).toMatchObject([{ state: 'waiting', turns: 2 }])
      await journal.answer('a', 'ok?', true)
      expect(await journal.runs()).toMatchObject([{ state: 'running' }])
      await log.close()
      expect(await journal.runs()).toMatchObject([{ state: 'interrupted' }])
      const again = await journal.open('a')
      await again.append({ key: 'end', kind: 'value', value: { reason: 'answer', text: '3' } })
      expect(await journal.runs()).toMatchObject([{ state: 'finished', reason: 'answer' }])
    })

    test('an ended run can resume and end again', async () => {
      const journal = journalOf()
      const log = await journal.open('a')
      await log.append({ key: 'end/0', kind: 'value', value: { reason: 'cancelled' } })
      expect(await journal.runs()).toMatchObject([{ state: 'finished', reason: 'cancelled' }])
      await log.append({ key: 'turn/0', kind: 'value', value: {} })
      expect(await journal.runs()).toMatchObject([{ state: 'running', reason: undefined }])
      await log.append({ key: 'end/1', kind: 'value', value: { reason: 'answer' } })
      expect(await journal.runs()).toMatchObject([{ state: 'finished', reason: 'answer' }])
    })

    test('a step that ended without its answer is not waiting', async () => {
      const journal = journalOf()
      const log = await journal.open('a')
      await log.append({ key: 'turn/1', kind: 'value', value: 1 })
      await log.append({ key: 'turn/1/call/1/approval', kind: 'wait', value: 1 })
      await log.append({ key: 'turn/1/call/2', kind: 'value', value: 1 })
      expect(await journal.runs()).toMatchObject([{ state: 'waiting' }])
      await log.append({ key: 'turn/1/call/1', kind: 'value', value: 'Nobody answered' })
      expect(await journal.runs()).toMatchObject([{ state: 'running' }])
    })

    test('can be searched and limited, with the latest first', async () => {
      const journal = journalOf()
      for (const run of ['a', 'b', 'c']) {
        const log = await journal.open(run)
        await log.append({ key: 'run', kind: 'value', value: { ...start, model: `model ${run}` } })
        await new Promise((resolve) => setTimeout(resolve, 3))
      }
      const found = async (search: string): Promise<string[]> =>
        (await journal.runs({ search })).map(({ run }) => run)
      expect(await found('')).toEqual(['c', 'b', 'a'])
      expect(await found('COUNT THE')).toEqual(['c', 'b', 'a'])
      expect(await found('model b')).toEqual(['b'])
      expect(await found('%')).toEqual([])
      expect(await journal.rename('a', 'Files 100%')).toBe(true)
      expect(await journal.rename('x', 'none')).toBe(false)
      expect(await found('100%')).toEqual(['a'])
      expect(await journal.runs({ limit: 1 })).toMatchObject([{ run: 'c' }])
      await expect(journal.rename('a', '')).rejects.toThrow(TypeError)
    })

    test('odd records do not break it', async () => {
      const journal = journalOf()
      for (const [index, value] of [
        null,
        1,
        [],
        { messages: [null, 1] },
        { model: {} },
      ].entries()) {
        const log = await journal.open(`r${index}`)
        await log.append({ key: 'run', kind: 'value', value })
        await log.append({ key: 'end', kind: 'value', value })
      }
      const runs = await journal.runs()
      expect(runs.map(({ reason }) => reason)).toEqual(Array.from({ length: 5 }, () => 'unknown'))
    })
  })

  describe(`${name}: removing runs`, () => {
    test('a run is removed, unless it is open', async () => {
      const journal = journalOf()
      const log = await journal.open('a')
      await log.append({ key: 'k', kind: 'value', value: 1 })
      await expect(journal.remove('a')).rejects.toMatchObject({ problem: 'busy' })
      await log.close()
      expect(await journal.remove('a')).toBe(true)
      expect(await journal.remove('a')).toBe(false)
      expect(await journal.read('a')).toEqual([])
      expect((await journal.open('a')).before).toEqual([])
    })

    test('the oldest runs are pruned, but none that is open or waiting', async () => {
      const journal = journalOf()
      const logs = []
      for (const run of ['open', 'waits', 'old', 'new']) {
        const log = await journal.open(run)
        await log.append({ key: run === 'waits' ? 'ok?' : 'k', kind: 'wait', value: 1 })
        if (run !== 'waits') await journal.answer(run, 'k', 1)
        logs.push(log)
        await new Promise((resolve) => setTimeout(resolve, 3))
      }
      await Promise.all(logs.slice(1).map((log) => log.close()))
      expect(await journal.prune({ runs: 10, days: 1 })).toBe(0)
      expect(await journal.prune({ runs: 1 })).toBe(1)
      expect((await journal.runs()).map(({ run }) => run)).toEqual(['new', 'waits', 'open'])
      expect(await journal.prune({ days: -1 })).toBe(1)
      expect((await journal.runs()).map(({ run }) => run)).toEqual(['waits', 'open'])
    })
  })

  describe(`${name}: export and import`, () => {
    test('an exported run can be imported and read elsewhere', async () => {
      const [here, there] = [journalOf(), journalOf()]
      for (const run of ['a', 'b']) {
        const log = await here.open(run)
        await log.append({ key: 'run', kind: 'value', value: start })
        await log.append({ key: 'line\u2028', kind: 'value', value: 'a\nb' }).catch(() => {})
        await log.append({ key: 'turn/1', kind: 'value', value: { text: 'a\nb' } })
      }
      await here.rename('a', 'Mine')
      const text = (await exportRun(here, 'a')) + (await exportRun(here, 'b'))
      expect(await importRuns(there, text)).toEqual(['a', 'b'])
      expect(await there.read('a')).toEqual(await here.read('a'))
      expect(await there.runs({ search: 'mine' })).toMatchObject([
        { run: 'a', name: 'Mine', imported: true, model: 'tiny', turns: 1, state: 'interrupted' },
      ])
      await expect(importRuns(there, text)).rejects.toMatchObject({ problem: 'taken' })
    })

    test('an imported run is opened only with the option for that', async () => {
      const journal = journalOf()
      const records = [{ key: 'k', kind: 'answer', value: 'allow', time: 5 }] as const
      await journal.add({ run: 'a', records })
      await expect(journal.open('a')).rejects.toMatchObject({ problem: 'imported' })
      expect((await journal.open('a', { imported: true })).before).toEqual(records)
    })
  })
}
