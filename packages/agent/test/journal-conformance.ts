import { describe, expect, onTestFinished, test } from 'vitest'
import type { Journal, JournalRecord, RunsOptions } from '../src/journal/journal.ts'
import { exportRun, importRuns } from '../src/journal/json-lines.ts'
import { longTest } from '../../../tests/helpers/size.ts'

/**
 * The tests that every journal must pass. `makePlace` creates storage for records and returns a
 * function that opens journals there.
 */
export function testJournal(name: string, makePlace: () => () => Journal): void {
  /** Two journals on the same storage, as if in separate processes. */
  function journalsOf(): [here: Journal, there: Journal] {
    const open = makePlace()
    const journals: [Journal, Journal] = [open(), open()]
    onTestFinished(async () => {
      for (const journal of journals) await journal.close()
    })
    return journals
  }
  function journalOf(): Journal {
    const journal = makePlace()()
    onTestFinished(() => journal.close())
    return journal
  }
  // For a journal with a file, `npm test` runs only the basic tests, because each test opens a new
  // file.
  const testMore = name === 'sqlite' ? longTest : test
  const never = new AbortController().signal
  const start = { model: 'tiny', messages: [{ role: 'user', content: 'Count the files' }] }

  describe(`${name}: records`, () => {
    test('are read in order, as written, by any process', async () => {
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

    test('exist when the run is opened again, and cannot be changed', async () => {
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

    testMore('can be read from the middle', async () => {
      const journal = journalOf()
      const log = await journal.open('a')
      for (const key of ['x', 'y', 'z']) await log.append({ key, kind: 'value', value: key })
      const keysAfter = async (count: number): Promise<string[]> =>
        (await journal.read('a', count)).map(({ key }) => key)
      expect(await keysAfter(0)).toEqual(['x', 'y', 'z'])
      expect(await keysAfter(2)).toEqual(['z'])
      expect(await keysAfter(3)).toEqual([])
      expect(await keysAfter(9)).toEqual([])
    })

    testMore('are returned as stored', async () => {
      const journal = journalOf()
      const log = await journal.open('a')
      const value = { list: [1], gone: undefined }
      const appended = await log.append({ key: 'k', kind: 'value', value })
      value.list.push(2)
      expect(appended).toEqual({
        key: 'k',
        kind: 'value',
        value: { list: [1] },
        time: expect.any(Number),
      })
      expect(await journal.read('a')).toEqual([appended])
    })

    test('are appended all or none, in order', async () => {
      const journal = journalOf()
      const log = await journal.open('a')
      const value = (key: string) => ({ key, kind: 'value' as const, value: key })
      const stored = await log.appendAll([value('one'), value('two')])
      expect(stored).toMatchObject([value('one'), value('two')])
      for (const wrong of [
        [value('three'), value('two')],
        [value('four'), value('four')],
      ])
        await expect(log.appendAll(wrong)).rejects.toMatchObject({ problem: 'taken' })
      await expect(log.appendAll([value('five'), value('')])).rejects.toThrow('A key must')
      expect((await journal.read('a')).map(({ key }) => key)).toEqual(['one', 'two'])
      expect(await journal.runs()).toMatchObject([{ run: 'a' }])
      await log.append(value('three'))
      expect(await journal.read('a')).toHaveLength(3)
    })

    testMore('are rejected with an explanation if they are invalid', async () => {
      const journal = journalOf()
      const log = await journal.open('a')
      const wrong: [Omit<JournalRecord, 'time'>, RegExp][] = [
        [{ key: '', kind: 'value', value: 1 }, /A key must/],
        [{ key: 'a\nb', kind: 'value', value: 1 }, /A key must/],
        [{ key: 'x'.repeat(501), kind: 'value', value: 1 }, /A key must/],
        [{ key: 'k', kind: 'other' as 'value', value: 1 }, /one of begin, value/],
        [{ key: 'k', kind: 'value', value: 1n }, /BigInt/],
        [{ key: 'k', kind: 'value', value: () => 1 }, /must be JSON, not a function/],
        [
          { key: 'message/0', kind: 'message', value: { type: 'stop' } },
          /Send it with journal\.send/,
        ],
      ]
      for (const [record, message] of wrong)
        await expect(log.append(record)).rejects.toThrow(message)
      for (const run of ['', '../a', 'a b', '-a', 'x'.repeat(201)])
        await expect(journal.open(run)).rejects.toThrow(TypeError)
      expect(await journal.read('a')).toEqual([])
    })
  })

  describe(`${name}: one process records a run`, () => {
    test('records a run and must close it before it can be opened again', async () => {
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

    test('is rejected if it opens a run twice simultaneously', async () => {
      const journal = journalOf()
      const both = await Promise.allSettled([journal.open('a'), journal.open('a')])
      expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    })
  })

  describe(`${name}: answers`, () => {
    const wait = { kind: 'wait', value: null } as const

    test('reach all waiting callers, early and late, and the first answer wins', async () => {
      const [journal, other] = journalsOf()
      const log = await journal.open('a')
      await log.append({ ...wait, key: 'ok?' })
      const waiting = log.waitForAnswer('ok?', never)
      const waitingToo = log.waitForAnswer('ok?', never)
      await other.answer('a', 'ok?', { yes: true })
      const late = other.answer('a', 'ok?', { yes: false })
      await expect(late).rejects.toMatchObject({ problem: 'not_pending' })
      await expect(late).rejects.toThrow(
        'ok? of the run a is already answered, and the first answer counts. List',
      )
      expect([await waiting, await waitingToo, await log.waitForAnswer('ok?', never)]).toEqual([
        { yes: true },
        { yes: true },
        { yes: true },
      ])
      expect(await journal.read('a')).toMatchObject([
        { kind: 'wait' },
        { key: 'ok?', kind: 'answer' },
      ])
    })

    test('count only once if many arrive together', async () => {
      const [journal, other] = journalsOf()
      const log = await journal.open('a')
      await log.append({ ...wait, key: 'k' })
      const all = await Promise.allSettled(
        Array.from({ length: 20 }, (_, index) =>
          (index % 2 ? journal : other).answer('a', 'k', index),
        ),
      )
      expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      const [, record] = await journal.read('a')
      expect(all[Number(record?.value)]).toMatchObject({ status: 'fulfilled' })
    })

    testMore('recorded by the run itself count', async () => {
      const [journal, other] = journalsOf()
      const log = await journal.open('a')
      await log.append({ ...wait, key: 'here' })
      await log.append({ ...wait, key: 'there' })
      await log.append({ key: 'here', kind: 'answer', value: 1 })
      await expect(other.answer('a', 'here', 2)).rejects.toMatchObject({ problem: 'not_pending' })
      await other.answer('a', 'there', 3)
      const late = log.append({ key: 'there', kind: 'answer', value: 4 })
      await expect(late).rejects.toMatchObject({ problem: 'taken' })
    })

    test('are rejected if no request is pending', async () => {
      const journal = journalOf()
      const log = await journal.open('a')
      const answer = (key: string): Promise<void> => journal.answer('a', key, 1)
      await expect(answer('k')).rejects.toMatchObject({ problem: 'not_pending' })
      await expect(answer('k')).rejects.toThrow("The run a isn't waiting for an answer to k. List")
      await log.append({ ...wait, key: 'turn/1/call/1/approval' })
      await log.append({ key: 'turn/1/call/10', kind: 'value', value: 1 })
      await log.append({ ...wait, key: 'turn/1/call/2/approval' })
      await log.append({ key: 'turn/1/call/2', kind: 'value', value: 'Nobody answered' })
      const over = answer('turn/1/call/2/approval')
      await expect(over).rejects.toMatchObject({ problem: 'not_pending' })
      await expect(over).rejects.toThrow('no longer waiting for turn/1/call/2/approval:')
      await answer('turn/1/call/1/approval')
    })

    test('to an ended or unknown run are rejected', async () => {
      const journal = journalOf()
      const log = await journal.open('a')
      await log.append({ ...wait, key: 'asked' })
      await log.append({ key: 'end/0', kind: 'value', value: { reason: 'cancelled' } })
      for (const key of ['asked', 'other']) {
        const late = journal.answer('a', key, 1)
        await expect(late).rejects.toMatchObject({ problem: 'ended' })
        await expect(late).rejects.toThrow('The run a has ended')
      }
      await log.append({ key: 'turn/1', kind: 'value', value: 'It resumed' })
      await journal.answer('a', 'asked', 1)
      await expect(journal.answer('b', 'k', 1)).rejects.toMatchObject({ problem: 'missing' })
      expect(await journal.read('b')).toEqual([])
      expect(await journal.runs()).toHaveLength(1)
    })

    testMore('are not waited for after an abort', async () => {
      const journal = journalOf()
      const log = await journal.open('a')
      await log.append({ ...wait, key: 'k' })
      const stop = new AbortController()
      const waiting = log.waitForAnswer('k', stop.signal)
      stop.abort(new Error('enough'))
      await expect(waiting).rejects.toThrow('enough')
      await expect(log.waitForAnswer('k', stop.signal)).rejects.toThrow('enough')
      await journal.answer('a', 'k', 1)
    })
  })

  describe(`${name}: messages`, () => {
    test('are numbered and reach the run, whether or not it is waiting', async () => {
      const [journal, other] = journalsOf()
      const log = await journal.open('a')
      const first = log.waitForMessage(0, never)
      await other.send('a', 'one')
      expect(await first).toEqual({ type: 'message', content: 'one' })
      await other.send('a', 'two')
      await journal.send('a', 'three')
      const texts = await Promise.all([2, 1, 0].map((number) => log.waitForMessage(number, never)))
      expect(texts).toMatchObject([{ content: 'three' }, { content: 'two' }, { content: 'one' }])
      await log.close()
      const again = await journal.open('a')
      expect(again.before.map(({ kind, key }) => `${kind} ${key}`)).toEqual([
        'message message/0',
        'message message/1',
        'message message/2',
      ])
      expect(await again.waitForMessage(1, never)).toMatchObject({ content: 'two' })
      const next = again.waitForMessage(3, never)
      await other.send('a', 'four')
      expect(await next).toMatchObject({ content: 'four' })
    })

    test('sent between opening the run and waiting are not missed', async () => {
      const [journal, other] = journalsOf()
      const log = await journal.open('a')
      // Changes are noticed even while no one waits for a message.
      const noticed = journal.changed('a', 0, never)
      await journal.runs()
      await other.send('a', 'from there')
      await noticed
      expect(await log.waitForMessage(0, never)).toMatchObject({ content: 'from there' })
      const more = await journal.open('b')
      await journal.send('b', 'from here')
      expect(await more.waitForMessage(0, never)).toMatchObject({ content: 'from here' })
    })

    test('have no gaps if many are sent concurrently', async () => {
      const [journal, other] = journalsOf()
      await journal.open('a')
      await Promise.all(
        Array.from({ length: 20 }, (_, index) => (index % 2 ? journal : other).send('a', 'x')),
      )
      expect((await other.read('a')).map(({ key }) => key)).toEqual(
        Array.from({ length: 20 }, (_, index) => `message/${index}`),
      )
    })

    test('are rejected if the run would never read them', async () => {
      const journal = journalOf()
      await expect(journal.send('a', 'hello')).rejects.toMatchObject({ problem: 'missing' })
      const log = await journal.open('a')
      for (const wrong of ['', 'x'.repeat(1_000_001), 7 as unknown as string])
        await expect(journal.send('a', wrong)).rejects.toThrow(TypeError)
      await journal.send('a', 'x'.repeat(1_000_000))
      await log.append({ key: 'end/0', kind: 'value', value: { reason: 'answer' } })
      const late = journal.send('a', 'hello')
      await expect(late).rejects.toMatchObject({ problem: 'ended' })
      await expect(late).rejects.toThrow('The run a has ended, so it would never read this. Resume')
      expect(await journal.read('a')).toHaveLength(2)
      await log.append({ key: 'input/0', kind: 'value', value: 'It resumed' })
      await journal.send('a', 'hello')
    })

    test('are never lost at the end of a run', async () => {
      const [journal, other] = journalsOf()
      const log = await journal.open('a')
      const end = { key: 'end/0', kind: 'value', value: { reason: 'answer' } } as const
      await other.send('a', 'wait!')
      const early = log.append(end, { messagesRead: 0 })
      await expect(early).rejects.toMatchObject({ problem: 'unread' })
      await expect(early).rejects.toThrow('value end/0 of the run a was not recorded')
      expect(await journal.read('a')).toHaveLength(1)
      expect(await journal.runs()).toMatchObject([{ state: 'running' }])
      await log.append(end, { messagesRead: 1 })
      expect(await journal.runs()).toMatchObject([{ state: 'finished' }])
    })

    test('either precede the end of a run or are rejected', async () => {
      const [journal, other] = journalsOf()
      const log = await journal.open('a')
      const end = { key: 'end/0', kind: 'value', value: { reason: 'answer' } } as const
      const both = await Promise.allSettled([
        log.append(end, { messagesRead: 0 }),
        other.send('a', 'wait!'),
      ])
      expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    })

    testMore('do not change the state of a run', async () => {
      const journal = journalOf()
      const log = await journal.open('a')
      await log.append({ key: 'ok?', kind: 'wait', value: null })
      await journal.send('a', 'hello')
      expect(await journal.runs()).toMatchObject([{ state: 'waiting', turns: 0 }])
    })

    testMore('are not waited for after an abort', async () => {
      const log = await journalOf().open('a')
      const stop = new AbortController()
      const waiting = log.waitForMessage(0, stop.signal)
      stop.abort(new Error('enough'))
      await expect(waiting).rejects.toThrow('enough')
    })
  })

  describe(`${name}: stopping`, () => {
    const turn = (content: string, usage: object): object => ({
      content,
      segments: [{ type: 'text', span: [0, content.length] }],
      usage,
    })

    test('makes an open run read the order', async () => {
      const [journal, other] = journalsOf()
      const log = await journal.open('a')
      expect(await other.stop('a')).toBe(true)
      expect(await log.waitForMessage(0, never)).toEqual({ type: 'stop' })
      expect(await other.read('a')).toMatchObject([{ key: 'message/0', kind: 'message' }])
      await log.append({ key: 'end/0', kind: 'value', value: { reason: 'cancelled' } })
      expect(await other.stop('a')).toBe(false)
      expect(await other.read('a')).toHaveLength(2)
    })

    test('ends a run that is not open', async () => {
      const [journal, other] = journalsOf()
      const log = await journal.open('a')
      await log.append({ key: 'run', kind: 'value', value: start })
      await log.append({
        key: 'turn/0',
        kind: 'value',
        value: turn(' One ', { input: 5, output: 1 }),
      })
      await log.append({ key: 'end/0', kind: 'value', value: { reason: 'budget' } })
      await log.append({ key: 'turn/1', kind: 'value', value: turn('', { input: 7, output: 2 }) })
      await log.append({ key: 'turn/2', kind: 'value', value: 'odd' })
      await log.close()
      expect(await other.stop('a')).toBe(true)
      const [message, end] = await journal.read('a', 5)
      expect(message).toMatchObject({ kind: 'message', value: { type: 'stop' } })
      expect(end).toMatchObject({
        key: 'end/1',
        kind: 'value',
        value: {
          reason: 'cancelled',
          text: 'One',
          usage: { input: 12, output: 3 },
          error: 'The run was stopped.',
        },
      })
      expect(await journal.runs()).toMatchObject([{ state: 'finished', reason: 'cancelled' }])
      expect(await other.stop('a')).toBe(false)
      const resumed = await journal.open('a')
      await resumed.append({ key: 'input/0', kind: 'value', value: 'Go on' })
      await resumed.close()
      expect(await other.stop('a')).toBe(true)
      expect(await journal.read('a', 8)).toMatchObject([
        { kind: 'message', value: { type: 'stop' } },
        { key: 'end/2', value: { reason: 'cancelled' } },
      ])
      await (await journal.open('a')).close()
    })

    testMore('several times at once ends the run once', async () => {
      const [journal, other] = journalsOf()
      await (await journal.open('a')).close()
      const stopped = await Promise.all([journal.stop('a'), other.stop('a'), journal.stop('a')])
      expect(stopped).toContain(true)
      const ends = (await journal.read('a')).filter(({ kind }) => kind === 'value')
      expect(ends.map(({ key }) => key)).toEqual(['end/0'])
      await (await journal.open('a')).close()
    })

    test('reaches the process that opens the run at the same time, or ends the run', async () => {
      const [journal, other] = journalsOf()
      await (await journal.open('a')).close()
      const [opened] = await Promise.allSettled([journal.open('a'), other.stop('a')])
      if (opened.status === 'fulfilled') {
        const read = await opened.value.waitForMessage(0, never)
        expect(read).toEqual({ type: 'stop' })
      } else {
        expect(opened.reason).toMatchObject({ problem: 'busy' })
        expect(await journal.runs()).toMatchObject([{ reason: 'cancelled' }])
      }
    })

    testMore('is rejected for an unknown run, which is not created', async () => {
      const journal = journalOf()
      await expect(journal.stop('a')).rejects.toMatchObject({ problem: 'missing' })
      expect(await journal.runs()).toEqual([])
    })

    test('is rejected for an imported run, unless it is open', async () => {
      const journal = journalOf()
      const records = [{ key: 'ok?', kind: 'wait', value: null, time: 5 }] as const
      await journal.add({ run: 'a', records })
      for (const refused of [
        () => journal.stop('a'),
        () => journal.send('a', 'x'),
        () => journal.answer('a', 'ok?', 1),
      ])
        await expect(refused()).rejects.toMatchObject({ problem: 'imported' })
      expect(await journal.waiting()).toEqual([])
      expect(await journal.read('a')).toEqual(records)
      const log = await journal.open('a', { imported: true })
      expect(await journal.waiting()).toMatchObject([{ run: 'a', key: 'ok?' }])
      expect(await journal.stop('a')).toBe(true)
      expect(await log.waitForMessage(0, never)).toEqual({ type: 'stop' })
    })
  })

  describe(`${name}: pending requests`, () => {
    const part = { what: 'git push', verdict: 'ask', why: 'no rule covers it' }
    const suggestion = { what: 'git push', rule: 'Bash(git push)' }
    const approval = {
      type: 'approval',
      request: {
        run: 'a',
        call: 'call-1',
        hash: 'h',
        decision: { ...part, parts: [part] },
        always: ['Bash(git push)'],
        suggestions: [suggestion, { what: 'rm -r', reason: 'it deletes' }],
        expires: 5000,
      },
      name: 'Bash',
      args: { command: 'git push' },
    }
    const questions = [
      {
        question: 'Which?',
        header: 'Which',
        options: [{ label: 'This', description: 'Here', preview: '*' }],
        multiSelect: true,
      },
    ]
    const question = { type: 'question', call: 'call-2', name: 'Ask', args: { x: 1 }, questions }
    const waitAt = (key: string, value: unknown): Omit<JournalRecord, 'time'> => ({
      key,
      kind: 'wait',
      value,
    })

    test('are listed with all details, oldest first', async () => {
      const [journal, other] = journalsOf()
      const one = await journal.open('a')
      const two = await journal.open('b')
      const asked = await two.append(waitAt('turn/0/call/1/question', question))
      await nextMillisecond()
      const askedLater = await one.append(waitAt('turn/0/call/0/approval/h', approval))
      const [first, second] = await other.waiting()
      expect(first).toEqual({
        type: 'question',
        run: 'b',
        key: 'turn/0/call/1/question',
        call: 'call-2',
        tool: 'Ask',
        args: { x: 1 },
        questions,
        since: asked.time,
      })
      expect(second).toEqual({
        type: 'approval',
        run: 'a',
        key: 'turn/0/call/0/approval/h',
        call: 'call-1',
        tool: 'Bash',
        args: { command: 'git push' },
        parts: [part],
        suggestions: approval.request.suggestions,
        expires: 5000,
        since: askedLater.time,
      })
      expect(await other.waiting({ run: 'a' })).toEqual([second])
      expect(await other.waiting({ run: 'c' })).toEqual([])
    })

    test('are listed until answered, or until the step or the run has ended', async () => {
      const [journal, other] = journalsOf()
      const log = await journal.open('a')
      const keys = async (): Promise<string[]> => (await other.waiting()).map(({ key }) => key)
      for (const call of [0, 1, 2])
        await log.append(waitAt(`turn/0/call/${call}/approval/h`, approval))
      expect(await keys()).toHaveLength(3)
      await other.answer('a', 'turn/0/call/1/approval/h', {})
      await log.append({ key: 'turn/0/call/0', kind: 'value', value: 1 })
      expect(await keys()).toEqual(['turn/0/call/2/approval/h'])
      // The request stays pending while no process executes the run.
      await log.close()
      expect(await keys()).toEqual(['turn/0/call/2/approval/h'])
      await other.stop('a')
      expect(await keys()).toEqual([])
    })

    test('can be searched by the text of their records', async () => {
      const journal = journalOf()
      for (const [run, content] of [
        ['a', 'Nothing "special"\nhere'],
        ['b', { deep: ['Größe', 'The NEEDLE'] }],
      ] as const) {
        const log = await journal.open(run)
        await log.append({ key: 'run', kind: 'value', value: start })
        await log.append({ key: 'turn/0', kind: 'value', value: content })
      }
      const found = async (containing: string, run?: string): Promise<string[]> =>
        (await journal.runs({ containing, ...(run !== undefined && { run }) })).map(
          (each) => each.run,
        )
      expect(await found('needle')).toEqual(['b'])
      expect(await found('Größe')).toEqual(['b'])
      expect(await found('the needle', 'a')).toEqual([])
      expect(await found('"SPECIAL"\nhere')).toEqual(['a'])
      for (const none of ['%', 'model _', 'model\\ b']) expect(await found(none)).toEqual([])
    })

    testMore('is not affected by odd records', async () => {
      const journal = journalOf()
      const odd = [
        null,
        1,
        'x',
        [],
        {},
        { type: 'approval', request: 5, args: 'x' },
        { type: 'approval', request: { decision: { parts: [null, {}] }, suggestions: [1, {}] } },
        { type: 'question', questions: 7, call: {} },
        {
          type: 'question',
          questions: [null, {}, { question: 'Q', options: [1, { label: 'L' }] }],
        },
      ]
      const log = await journal.open('a')
      for (const [index, value] of odd.entries()) await log.append(waitAt(`odd ${index}`, value))
      const waiting = await journal.waiting()
      expect(waiting).toHaveLength(odd.length)
      for (const request of waiting) {
        expect(request).toMatchObject({ run: 'a', call: '', tool: '', args: {} })
        if (request.type === 'approval')
          expect(request).toMatchObject({ parts: [], suggestions: [] })
      }
      expect(waiting.at(-1)).toMatchObject({
        questions: [{ question: 'Q', header: '', options: [{ label: 'L', description: '' }] }],
      })
    })
  })

  describe(`${name}: changes`, () => {
    test('are noticed, whichever process makes them', async () => {
      const [journal, other] = journalsOf()
      const log = await journal.open('a')
      const follow = async (count: number): Promise<string[]> => {
        await Promise.all([journal.changed('a', count, never), other.changed('a', count, never)])
        return (await other.read('a', count)).map(({ kind, key }) => `${kind} ${key}`)
      }
      const first = follow(0)
      await log.append({ key: 'k', kind: 'wait', value: null })
      expect(await first).toEqual(['wait k'])
      const second = follow(1)
      await other.answer('a', 'k', 1)
      expect(await second).toEqual(['answer k'])
      const third = follow(2)
      await journal.send('a', 'hello')
      expect(await third).toEqual(['message message/0'])
      expect(await follow(0)).toHaveLength(3)
    })

    testMore('of a run that does not exist yet are noticed', async () => {
      const [journal, other] = journalsOf()
      const changed = journal.changed('a', 0, never)
      const log = await other.open('a')
      await log.append({ key: 'k', kind: 'value', value: 1 })
      await changed
      const added = Promise.all([journal.changed('b', 0, never), other.changed('b', 0, never)])
      await journal.runs()
      await journal.add({ run: 'b', records: await journal.read('a') })
      await added
    })

    test('of other runs are ignored, and an abort ends the wait', async () => {
      const [journal, other] = journalsOf()
      const stop = new AbortController()
      let changed = false
      const waiting = journal.changed('a', 1, stop.signal).then(() => (changed = true))
      await (await journal.open('a')).append({ key: 'k', kind: 'value', value: 1 })
      await (await other.open('b')).append({ key: 'k', kind: 'value', value: 1 })
      await journal.changed('b', 0, never)
      expect(changed).toBe(false)
      stop.abort(new Error('enough'))
      await expect(waiting).rejects.toThrow('enough')
      await expect(journal.changed('a', 0, stop.signal)).rejects.toThrow('enough')
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
      await again.append({ key: 'end/0', kind: 'value', value: { reason: 'answer', text: '3' } })
      expect(await journal.runs()).toMatchObject([{ state: 'finished', reason: 'answer' }])
    })

    testMore('contains the text of a prompt with images', async () => {
      const journal = journalOf()
      const log = await journal.open('a')
      const text = { type: 'text', text: 'What is this?' }
      const image = { type: 'image', url: 'data:image/png;base64,AA==' }
      const content = [image, text, null, { text: 7 }]
      const messages = [{ role: 'user', content }]
      await log.append({ key: 'run', kind: 'value', value: { model: 'tiny', messages } })
      const other = await journal.open('b')
      const nothing = [{ role: 'user', content: [image] }]
      await other.append({ key: 'run', kind: 'value', value: { messages: nothing } })
      const prompts = (await journal.runs()).map(({ run, prompt }) => [run, prompt])
      expect(Object.fromEntries(prompts)).toEqual({ a: 'What is this?', b: undefined })
    })

    test('contains the folder, owner and tokens of each run', async () => {
      const journal = journalOf()
      const log = await journal.open('a')
      const setup = { cwd: '/one', protocol: 'hermes', owner: 'me', forkOf: { run: 'z', turn: 2 } }
      await log.append({ key: 'run', kind: 'value', value: { ...start, ...setup } })
      const [before] = await journal.runs()
      expect(before).toMatchObject({
        folder: '/one',
        protocol: 'hermes',
        owner: 'me',
        forkOf: { run: 'z', turn: 2 },
      })
      expect(before?.usage).toEqual({ input: 0, output: 0 })
      const values: [key: string, value: unknown][] = [
        ['run/1', { model: 'other', cwd: '/two', owner: 'you', forkOf: { run: 'y', turn: 1 } }],
        ['run/2', { protocol: 'native', cwd: 7 }],
        ['turn/0', { usage: { input: 10, output: 1, cached: 4, cost: 0.25 } }],
        ['turn/0/call/0', { usage: { input: 1000, output: 1000 } }],
        ['compact/1/summary', { usage: { input: 20, output: 2, reasoning: 1 } }],
        ['compact/1/1/summary', { usage: { input: 30, output: 3, estimated: true } }],
        ['compact/1', { usage: { input: 1000, output: 1000 } }],
        ['final/0', { usage: { input: 40, output: 4, cost: 0.5 } }],
        ['turn/1', { usage: { input: -1, output: 'x', cached: null } }],
        ['turn/2', { usage: 'none' }],
        ['turn/x', { usage: { input: 1000, output: 1000 } }],
      ]
      for (const [key, value] of values) await log.append({ key, kind: 'value', value })
      const [after] = await journal.runs()
      expect(after).toMatchObject({
        model: 'tiny',
        folder: '/two',
        protocol: 'native',
        owner: 'me',
        forkOf: { run: 'z', turn: 2 },
        turns: 3,
      })
      expect(after?.usage).toEqual({
        input: 100,
        output: 10,
        cached: 4,
        reasoning: 1,
        cost: 0.75,
        estimated: true,
      })
    })

    testMore('can be limited to an owner', async () => {
      const journal = journalOf()
      for (const owner of ['me', 'you', undefined]) {
        const log = await journal.open(`of-${owner}`)
        await log.append({ key: 'run', kind: 'value', value: { ...start, owner } })
      }
      const found = async (owner: string, search = ''): Promise<string[]> =>
        (await journal.runs({ owner, search })).map(({ run }) => run)
      expect(await found('me')).toEqual(['of-me'])
      expect(await found('ME')).toEqual([])
      expect(await found('')).toEqual([])
      expect(await found('me', 'count')).toEqual(['of-me'])
      expect(await found('me', 'of-you')).toEqual([])
      expect(await journal.runs()).toHaveLength(3)
    })

    test('can be limited to a folder and to one run, before the maximum number applies', async () => {
      const journal = journalOf()
      for (const [run, cwd] of [
        ['a', '/work'],
        ['ab', '/work/sub'],
        ['b', '/WORK'],
        ['none', undefined],
      ] as const) {
        const log = await journal.open(run)
        await log.append({ key: 'run', kind: 'value', value: { ...start, cwd } })
      }
      const found = async (options: RunsOptions): Promise<string[]> =>
        (await journal.runs({ ...options, limit: 1 })).map(({ run }) => run)
      expect(await found({ folder: '/work' })).toEqual(['a'])
      expect(await found({ folder: '/work/' })).toEqual([])
      expect(await found({ folder: '' })).toEqual([])
      expect(await found({ run: 'a' })).toEqual(['a'])
      expect(await found({ run: 'a', folder: '/work' })).toEqual(['a'])
      expect(await found({ run: 'a', folder: '/work/sub' })).toEqual([])
      expect(await found({ run: 'A' })).toEqual([])
      expect(await found({ run: '' })).toEqual([])
      expect(await found({ run: '__proto__' })).toEqual([])
    })

    test('contains a run that resumed and ended again', async () => {
      const journal = journalOf()
      const log = await journal.open('a')
      await log.append({ key: 'end/0', kind: 'value', value: { reason: 'cancelled' } })
      expect(await journal.runs()).toMatchObject([{ state: 'finished', reason: 'cancelled' }])
      await log.append({ key: 'turn/0', kind: 'value', value: {} })
      expect(await journal.runs()).toMatchObject([{ state: 'running', reason: undefined }])
      await log.append({ key: 'end/1', kind: 'value', value: { reason: 'answer' } })
      expect(await journal.runs()).toMatchObject([{ state: 'finished', reason: 'answer' }])
    })

    testMore('exclude a step that ended without an answer', async () => {
      const journal = journalOf()
      const log = await journal.open('a')
      await log.append({ key: 'turn/1', kind: 'value', value: 1 })
      await log.append({ key: 'turn/1/call/1/approval', kind: 'wait', value: 1 })
      await log.append({ key: 'turn/1/call/2', kind: 'value', value: 1 })
      expect(await journal.runs()).toMatchObject([{ state: 'waiting' }])
      await log.append({ key: 'turn/1/call/1', kind: 'value', value: 'Nobody answered' })
      expect(await journal.runs()).toMatchObject([{ state: 'running' }])
    })

    test('can be searched and limited, latest first', async () => {
      const journal = journalOf()
      for (const run of ['a', 'b', 'c']) {
        const log = await journal.open(run)
        await log.append({ key: 'run', kind: 'value', value: { ...start, model: `model ${run}` } })
        await nextMillisecond()
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

    testMore('is not affected by odd records', async () => {
      const journal = journalOf()
      for (const [index, value] of [
        null,
        1,
        [],
        { messages: [null, 1] },
        { model: {}, cwd: 1, protocol: [], owner: {}, forkOf: 'x' },
        { owner: 'x'.repeat(501), cwd: '\ud800', forkOf: { run: 'a', turn: 0.5 } },
      ].entries()) {
        const log = await journal.open(`r${index}`)
        await log.append({ key: 'run', kind: 'value', value })
        await log.append({ key: 'turn/0', kind: 'value', value })
        await log.append({ key: 'end/0', kind: 'value', value })
      }
      const runs = await journal.runs()
      expect(runs.map(({ reason }) => reason)).toEqual(Array.from({ length: 6 }, () => 'unknown'))
      for (const { folder, owner, forkOf, usage } of runs)
        expect({ folder, owner, forkOf, usage }).toEqual({ usage: { input: 0, output: 0 } })
    })
  })

  describe(`${name}: removing runs`, () => {
    test('deletes a run unless it is open', async () => {
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

    test('prunes the oldest runs, except those that have a name, are open or waiting', async () => {
      const journal = journalOf()
      const logs = []
      for (const run of ['open', 'named', 'waits', 'ended', 'old', 'new']) {
        const log = await journal.open(run)
        await log.append({ key: 'k', kind: 'wait', value: 1 })
        if (run === 'ended') await log.append({ key: 'end/0', kind: 'value', value: 1 })
        else if (run !== 'waits') await journal.answer(run, 'k', 1)
        logs.push(log)
        await nextMillisecond()
      }
      await journal.rename('named', 'Keep me')
      await Promise.all(logs.slice(1).map((log) => log.close()))
      const left = async (): Promise<string[]> => (await journal.runs()).map(({ run }) => run)
      expect(await journal.prune({})).toBe(0)
      expect(await journal.prune({ runs: 10, days: 1 })).toBe(0)
      expect(await journal.prune({ runs: 1 })).toBe(2)
      expect(await left()).toEqual(['new', 'waits', 'named', 'open'])
      expect(await journal.prune({ days: -1 })).toBe(1)
      expect(await left()).toEqual(['waits', 'named', 'open'])
      expect(await journal.read('old')).toEqual([])
    })
  })

  describe(`${name}: export and import`, () => {
    test('transfers a run, which can be read elsewhere', async () => {
      const [here, there] = [journalOf(), journalOf()]
      for (const run of ['a', 'b']) {
        const log = await here.open(run)
        await log.append({ key: 'run', kind: 'value', value: start })
        await log.append({ key: 'line\u2028', kind: 'value', value: 'a\nb' }).catch(() => {})
        await log.append({ key: 'turn/1', kind: 'value', value: { text: 'a\nb' } })
      }
      await here.rename('a', 'Mine')
      const text = (await exportRun(here, 'a')) + (await exportRun(here, 'b'))
      expect(text.split('\n')[1]).toMatch(/^{"key":"run","kind":"value","value":{.*},"time":\d+}$/)
      expect(await importRuns(there, text)).toEqual(['a', 'b'])
      expect(await there.read('a')).toEqual(await here.read('a'))
      expect(await there.runs({ search: 'mine' })).toMatchObject([
        { run: 'a', name: 'Mine', imported: true, model: 'tiny', turns: 1, state: 'interrupted' },
      ])
      await expect(importRuns(there, text)).rejects.toMatchObject({ problem: 'taken' })
    })

    test('requires an option to open an imported run', async () => {
      const journal = journalOf()
      const records = [{ key: 'k', kind: 'answer', value: 'allow', time: 5 }] as const
      await journal.add({ run: 'a', records })
      await expect(journal.open('a')).rejects.toMatchObject({ problem: 'imported' })
      expect((await journal.open('a', { imported: true })).before).toEqual(records)
    })

    test('adds a run that was not recorded elsewhere like any other', async () => {
      const [journal, other] = journalsOf()
      const source = await journal.open('a')
      await source.append({ key: 'run', kind: 'value', value: { ...start, owner: 'me' } })
      await source.append({ key: 'ok?', kind: 'wait', value: null })
      await journal.send('a', 'hello')
      const records = await journal.read('a')
      await journal.add({ run: 'b', records, imported: false })
      expect(await other.runs({ search: 'b' })).toMatchObject([
        { run: 'b', imported: false, owner: 'me', state: 'waiting' },
      ])
      const log = await other.open('b')
      expect(log.before).toEqual(records)
      const next = log.waitForMessage(1, never)
      await journal.send('b', 'more')
      expect(await next).toMatchObject({ content: 'more' })
      await journal.answer('b', 'ok?', 1)
    })

    testMore('rejects a run with invalid messages or duplicate records', async () => {
      const journal = journalOf()
      const message = (key: string, value: unknown): JournalRecord => ({
        key,
        kind: 'message',
        value,
        time: 5,
      })
      for (const records of [
        [message('message/1', { type: 'stop' })],
        [message('message/0', { type: 'stop' }), message('message/0', { type: 'stop' })],
        [message('hello', { type: 'stop' })],
        [message('message/0', null)],
        [message('message/0', { type: 'other' })],
        [message('message/0', { type: 'message', content: 5 })],
        [
          { ...message('k', 1), kind: 'value' as const },
          { ...message('k', 2), kind: 'value' as const },
        ],
      ])
        await expect(journal.add({ run: 'a', records })).rejects.toThrow(TypeError)
      expect(await journal.runs()).toEqual([])
    })
  })
}

/** Waits until new records get a different time. */
async function nextMillisecond(): Promise<void> {
  const now = Date.now()
  while (Date.now() <= now + 1) await new Promise((resolve) => setImmediate(resolve))
}
