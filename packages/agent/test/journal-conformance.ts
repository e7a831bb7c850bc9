import { describe, expect, onTestFinished, test } from 'vitest'
import type { Journal, JournalRecord } from '../src/journal/journal.ts'
import { exportRun, importRuns } from '../src/journal/lines.ts'

/** What every journal does. */
export function testJournal(name: string, make: () => Journal): void {
  function journalOf(): Journal {
    const journal = make()
    onTestFinished(() => journal.close())
    return journal
  }
  const begun = { model: 'tiny', messages: [{ role: 'user', content: 'Count the files' }] }

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

    test('there is one of a kind under a key', async () => {
      const log = await journalOf().open('a')
      await log.append({ key: 'k', kind: 'begin', value: null })
      await log.append({ key: 'k', kind: 'value', value: 1 })
      await expect(log.append({ key: 'k', kind: 'value', value: 2 })).rejects.toMatchObject({
        problem: 'taken',
      })
    })

    test('that cannot be written are told as the mistake they are', async () => {
      const journal = journalOf()
      const log = await journal.open('a')
      const wrong: [Omit<JournalRecord, 'time'>, RegExp][] = [
        [{ key: '', kind: 'value', value: 1 }, /A key is/],
        [{ key: 'a\nb', kind: 'value', value: 1 }, /A key is/],
        [{ key: 'x'.repeat(501), kind: 'value', value: 1 }, /A key is/],
        [{ key: 'k', kind: 'other' as 'value', value: 1 }, /one of begin, value/],
        [{ key: 'k', kind: 'value', value: 1n }, /BigInt/],
        [{ key: 'k', kind: 'value', value: () => 1 }, /JSON can hold, not a function/],
      ]
      for (const [record, message] of wrong)
        await expect(log.append(record)).rejects.toThrow(message)
      for (const run of ['', '../a', 'a b', '-a', 'x'.repeat(201)])
        await expect(journal.open(run)).rejects.toThrow(TypeError)
      expect(await journal.read('a')).toEqual([])
    })
  })

  describe(`${name}: one process records a run`, () => {
    test('nobody else can open it until it is closed', async () => {
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

    test('of two that open it at once, one is refused', async () => {
      const journal = journalOf()
      const both = await Promise.allSettled([journal.open('a'), journal.open('a')])
      expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    })
  })

  describe(`${name}: answers`, () => {
    const never = new AbortController().signal

    test('reach who waits, before and after, and the first counts', async () => {
      const journal = journalOf()
      const log = await journal.open('a')
      const waiting = log.answered('ok?', never)
      const waitingToo = log.answered('ok?', never)
      expect(await journal.answer('a', 'ok?', { yes: true })).toBe(true)
      expect(await journal.answer('a', 'ok?', { yes: false })).toBe(false)
      expect([await waiting, await waitingToo, await log.answered('ok?', never)]).toEqual([
        { yes: true },
        { yes: true },
        { yes: true },
      ])
      expect(await journal.read('a')).toMatchObject([{ key: 'ok?', kind: 'answer' }])
    })

    test('of many at once, one counts', async () => {
      const journal = journalOf()
      await journal.open('a')
      const all = await Promise.all(
        Array.from({ length: 20 }, (_, index) => journal.answer('a', 'k', index)),
      )
      expect(all.filter(Boolean)).toHaveLength(1)
      const [record] = await journal.read('a')
      expect(all[Number(record?.value)]).toBe(true)
    })

    test('to a run that is over, or to none, are refused', async () => {
      const journal = journalOf()
      const log = await journal.open('a')
      await log.append({ key: 'asked', kind: 'wait', value: null })
      await log.append({ key: 'end', kind: 'value', value: { reason: 'cancelled' } })
      expect(await journal.answer('a', 'k', 1)).toBe(false)
      // It may go on with this one.
      expect(await journal.answer('a', 'asked', 1)).toBe(true)
      expect(await journal.runs()).toMatchObject([{ state: 'finished' }])
      expect(await journal.answer('b', 'k', 1)).toBe(false)
      expect(await journal.read('b')).toEqual([])
      expect(await journal.runs()).toHaveLength(1)
    })

    test('are not waited for any more once that is stopped', async () => {
      const journal = journalOf()
      const log = await journal.open('a')
      const stop = new AbortController()
      const waiting = log.answered('k', stop.signal)
      stop.abort(new Error('enough'))
      await expect(waiting).rejects.toThrow('enough')
      await expect(log.answered('k', stop.signal)).rejects.toThrow('enough')
      expect(await journal.answer('a', 'k', 1)).toBe(true)
    })
  })

  describe(`${name}: the list of runs`, () => {
    test('says what each is and how it stands', async () => {
      const journal = journalOf()
      const log = await journal.open('a')
      await log.append({ key: 'run', kind: 'value', value: begun })
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

    test('what ended can go on, and end again', async () => {
      const journal = journalOf()
      const log = await journal.open('a')
      await log.append({ key: 'end/0', kind: 'value', value: { reason: 'cancelled' } })
      expect(await journal.runs()).toMatchObject([{ state: 'finished', reason: 'cancelled' }])
      await log.append({ key: 'turn/0', kind: 'value', value: {} })
      expect(await journal.runs()).toMatchObject([{ state: 'running', reason: undefined }])
      await log.append({ key: 'end/1', kind: 'value', value: { reason: 'answer' } })
      expect(await journal.runs()).toMatchObject([{ state: 'finished', reason: 'answer' }])
    })

    test('what was asked and then done without an answer does not wait any more', async () => {
      const journal = journalOf()
      const log = await journal.open('a')
      await log.append({ key: 'turn/1', kind: 'value', value: 1 })
      await log.append({ key: 'turn/1/call/1/approval', kind: 'wait', value: 1 })
      await log.append({ key: 'turn/1/call/2', kind: 'value', value: 1 })
      expect(await journal.runs()).toMatchObject([{ state: 'waiting' }])
      await log.append({ key: 'turn/1/call/1', kind: 'value', value: 'Nobody answered' })
      expect(await journal.runs()).toMatchObject([{ state: 'running' }])
    })

    test('is searched, cut, and the latest comes first', async () => {
      const journal = journalOf()
      for (const run of ['a', 'b', 'c']) {
        const log = await journal.open(run)
        await log.append({ key: 'run', kind: 'value', value: { ...begun, model: `model ${run}` } })
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

    test('what a run recorded oddly does not break it', async () => {
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

  describe(`${name}: what is kept`, () => {
    test('a run is forgotten, unless it is open', async () => {
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

    test('the oldest go, but none that is open or waits', async () => {
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
      expect(await journal.keep({ runs: 10, days: 1 })).toBe(0)
      expect(await journal.keep({ runs: 1 })).toBe(1)
      expect((await journal.runs()).map(({ run }) => run)).toEqual(['new', 'waits', 'open'])
      expect(await journal.keep({ days: -1 })).toBe(1)
      expect((await journal.runs()).map(({ run }) => run)).toEqual(['waits', 'open'])
    })
  })

  describe(`${name}: export and import`, () => {
    test('what was exported is imported elsewhere, and can be read there', async () => {
      const [here, there] = [journalOf(), journalOf()]
      for (const run of ['a', 'b']) {
        const log = await here.open(run)
        await log.append({ key: 'run', kind: 'value', value: begun })
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

    test('an imported run goes on only where somebody says so', async () => {
      const journal = journalOf()
      const records = [{ key: 'k', kind: 'answer', value: 'allow', time: 5 }] as const
      await journal.add({ run: 'a', records })
      await expect(journal.open('a')).rejects.toMatchObject({ problem: 'imported' })
      expect((await journal.open('a', { imported: true })).before).toEqual(records)
    })
  })
}
