import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { collectEvents } from '../../../test/collect-events.ts'
import { call, scripted } from '../../../test/scripted.ts'
import { reader, writer } from '../../../test/tools.ts'
import { folderOf } from '../../../../../tests/helpers/folder.ts'
import type { Journal, RunLog } from '../../journal/journal.ts'
import { memoryJournal } from '../../journal/memory-journal.ts'
import { sqliteJournal } from '../../node/journal/sqlite-journal.ts'
import type { ToolContext } from '../../tool/tool.ts'
import type { ToolOutcome } from './tool-outcome.ts'
import { run } from '../run.ts'

const permissions = { allow: ['put'] }
const later = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20))
const never = (): Promise<never> => new Promise(() => {})

async function withJournal(make: () => Journal, work: (journal: Journal) => Promise<void>) {
  const journal = make()
  try {
    await work(journal)
  } finally {
    await journal.close()
  }
}

/** The recorded outcome of the only call. */
async function recorded(journal: Journal): Promise<ToolOutcome | undefined> {
  const records = await journal.read('run-1')
  const found = records.find(({ key, kind }) => key === 'turn/0/call/0' && kind === 'value')
  return found?.value as ToolOutcome | undefined
}

/** A journal that calls `onBegin` when the start of a tool is recorded. */
function watched(journal: Journal, onBegin: () => void): Journal {
  const open = async (run: string): Promise<RunLog> => {
    const log = await journal.open(run)
    return {
      run,
      before: log.before,
      append: async (record) => {
        const stored = await log.append(record)
        if (record.kind === 'begin') onBegin()
        return stored
      },
      appendAll: (records) => log.appendAll(records),
      waitForAnswer: (...given) => log.waitForAnswer(...given),
      findAnswer: (key) => log.findAnswer(key),
      waitForMessage: (...given) => log.waitForMessage(...given),
      close: () => log.close(),
    }
  }
  return Object.assign(Object.create(journal) as Journal, { open })
}

describe.each([
  ['memory', () => memoryJournal()],
  ['SQLite', () => sqliteJournal({ file: join(folderOf(), 'journal.sqlite') })],
])('in %s', (_, make) => {
  type Act = (stop: () => void, context: ToolContext) => Promise<unknown>

  test.each<[about: string, act: Act, status: ToolOutcome['status'], text: RegExp]>([
    ['before it finishes', async (stop) => (stop(), await later(), 'sent'), 'success', /^sent$/],
    ['as it finishes', async (stop) => (await later(), stop(), 'sent'), 'success', /^sent$/],
    [
      'before it fails on its own',
      async (stop) => {
        stop()
        await later()
        throw new Error('The server said no.')
      },
      'error',
      /The server said no/,
    ],
    [
      'and ends because of that',
      async (stop, { signal }) => {
        stop()
        signal.throwIfAborted()
      },
      'unknown',
      /unknown whether put finished/,
    ],
    [
      'and does not end',
      async (stop) => (stop(), never()),
      'unknown',
      /unknown whether put finished/,
    ],
  ])('a tool that is stopped %s', async (_, act, status, text) => {
    await withJournal(make, async (journal) => {
      const stop = new AbortController()
      const put = writer((_, context) => act(() => stop.abort(), context))
      const reply = call('put', { value: 'a' })
      const options = { id: 'run-1', journal, tools: [put], permissions }
      const first = await collectEvents({
        ...options,
        model: scripted([reply]),
        prompt: 'Go',
        signal: stop.signal,
      })
      expect(first.end.reason).toBe('cancelled')
      const outcome = { status, text: expect.stringMatching(text) as string }
      expect(await recorded(journal)).toMatchObject(outcome)
      expect(first.of('tool-end')).toMatchObject([{ name: 'put', outcome }])
      expect(first.of('warning')).toHaveLength(status === 'unknown' ? 1 : 0)

      const model = scripted(['Done.'])
      const second = await collectEvents({ ...options, model, resume: true })
      expect(second.end).toMatchObject({ reason: 'answer', text: 'Done.' })
      expect(put.made).toEqual(['a'])
      expect(model.sent[0]!.at(-1)!.content).toMatch(
        new RegExp(text.source.replaceAll(/[$^]/g, '')),
      )
    })
  })

  test('cancels a tool stopped just before it starts and does not run it again', async () => {
    await withJournal(make, async (journal) => {
      const stop = new AbortController()
      const put = writer()
      const options = { id: 'run-1', tools: [put], permissions }
      const { of } = await collectEvents({
        ...options,
        journal: watched(journal, () => stop.abort()),
        model: scripted([call('put', { value: 'a' })]),
        prompt: 'Go',
        signal: stop.signal,
      })
      expect(of('tool-end')).toMatchObject([{ outcome: { status: 'cancelled' } }])
      expect(await recorded(journal)).toMatchObject({ status: 'cancelled' })
      const model = scripted(['Done.'])
      await collectEvents({ ...options, journal, model, resume: true })
      expect(put.made).toEqual([])
      expect(model.sent[0]!.at(-1)!.content).toContain('put was cancelled')
    })
  })

  test.each<[about: string, act: () => Promise<unknown>, status: string, text: RegExp]>([
    ['and finishes soon', async () => (await later(), 'sent'), 'success', /^sent$/],
    [
      'and soon fails on its own',
      async () => (await later(), Promise.reject(new Error('The server said no.'))),
      'error',
      /The server said no/,
    ],
    ['and does not end', never, 'unknown', /did not end when it was stopped after 5 ms/],
  ])('a tool that times out %s', async (_, act, status, text) => {
    await withJournal(make, async (journal) => {
      const put = writer(act, { timeout: 5 })
      const model = scripted([call('put', { value: 'a' }), 'Done.'])
      const options = { id: 'run-1', journal, tools: [put], permissions, prompt: 'Go' }
      const { end } = await collectEvents({ ...options, model })
      expect(end.reason).toBe('answer')
      const outcome = { status, text: expect.stringMatching(text) as string }
      expect(await recorded(journal)).toMatchObject(outcome)
    })
  })
})

test('the outcome of a stopped read-only tool is unknown but harmless', async () => {
  const journal = memoryJournal()
  const stop = new AbortController()
  const look = reader(() => (stop.abort(), never()))
  const model = scripted([call('look', { key: 'a' })])
  const { signal } = stop
  const { of } = await collectEvents({
    id: 'run-1',
    journal,
    model,
    tools: [look],
    prompt: 'Go',
    signal,
  })
  expect(of('tool-end')).toMatchObject([{ outcome: { status: 'unknown' } }])
  expect(await recorded(journal)).toMatchObject({ status: 'unknown' })
  expect(of('warning')).toEqual([])
})

test('the outcome of a tool is recorded even if the consumer stops reading', async () => {
  const journal = memoryJournal()
  const put = writer(async (_, context) => {
    context.progress({ type: 'note', text: 'sending' })
    await later()
    return 'sent'
  })
  const model = scripted([call('put', { value: 'a' })])
  const options = { id: 'run-1', journal, model, tools: [put], prompt: 'Go', permissions }
  for await (const event of run(options)) if (event.type === 'tool-progress') break
  expect(put.made).toEqual(['a'])
  expect(await recorded(journal)).toMatchObject({ status: 'success', text: 'sent' })
})
