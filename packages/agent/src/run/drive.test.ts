import { expect, test } from 'vitest'
import { call, scripted } from '../../test/scripted.ts'
import { reader, writer } from '../../test/tools.ts'
import { journalOn } from '../../test/disk.ts'
import { memoryJournal } from '../journal/memory-journal.ts'
import { tool } from '../tool/tool.ts'
import { drive } from './drive.ts'

const replies = [call('put', { value: 'a' }), call('put', { value: 'b' }), 'Done.']
const allow = { allow: ['put'] }

test('a run is driven to its end once, however often drive() is called', async () => {
  const journal = memoryJournal()
  const put = writer()
  const model = scripted(replies)
  const options = { id: 'a', journal, model, tools: [put], prompt: 'Go', permissions: allow }
  const outcome = await drive(options)
  expect(outcome).toMatchObject({ status: 'ended', run: 'a', reason: 'answer', text: 'Done.' })
  expect(JSON.parse(JSON.stringify(outcome))).toEqual(outcome)
  expect(await drive(options)).toEqual(outcome)
  expect(put.made).toEqual(['a', 'b'])
})

test('a run waiting for a person needs no process and continues after the answer', async () => {
  const journal = memoryJournal()
  const put = writer()
  const options = { id: 'a', journal, tools: [put], prompt: 'Go' }
  const first = await drive({ ...options, model: scripted(replies) })
  const [{ key } = { key: '' }] = await journal.waiting()
  expect(first).toEqual({ status: 'waiting', run: 'a', pending: [key] })
  // There is no answer yet.
  expect(await drive({ ...options, model: scripted(replies.slice(1)) })).toEqual(first)
  await journal.answer('a', key, { verdict: 'allow' })
  const second = await drive({ ...options, model: scripted(replies.slice(1)) })
  expect(second).toMatchObject({ status: 'waiting' })
  expect(put.made).toEqual(['a'])
})

test('a released run continues elsewhere', async () => {
  const journal = memoryJournal()
  const release = new AbortController()
  const put = writer()
  const options = { id: 'a', journal, tools: [put], prompt: 'Go', permissions: allow }
  const outcome = await drive({
    ...options,
    model: scripted(replies),
    release: release.signal,
    onEvent: ({ type }) => type === 'tool-end' && release.abort(),
  })
  expect(outcome).toEqual({ status: 'released', run: 'a' })
  expect(await drive({ ...options, model: scripted(replies.slice(1)) })).toMatchObject({
    reason: 'answer',
  })
  expect(put.made).toEqual(['a', 'b'])
})

test('if two processes drive a run, only the first one, or the one that takes over, can record', async () => {
  const journal = memoryJournal()
  const done: string[] = []
  let goOn = (): void => {}
  const paused = new Promise<void>((resolve) => (goOn = resolve))
  const put = (wait: Promise<void>) =>
    tool({
      name: 'put',
      description: 'Puts a value',
      parameters: { type: 'object', properties: { value: { type: 'string' } } },
      async execute({ value }, { run }) {
        await wait
        done.push(`${run} ${String(value)}`)
        return 'put'
      },
    })
  const options = { id: 'a', journal, prompt: 'Go', permissions: allow }
  let began = (): void => {}
  const isBegun = new Promise<void>((resolve) => (began = resolve))
  const first = drive({
    ...options,
    model: scripted(replies),
    tools: [put(paused)],
    onEvent: ({ type }) => type === 'tool-start' && began(),
  })
  await isBegun
  const there = { ...options, tools: [put(Promise.resolve())], model: scripted(replies.slice(1)) }
  await expect(drive(there)).rejects.toMatchObject({ name: 'JournalError', problem: 'busy' })
  const second = await drive({ ...there, takeover: true })
  expect(second).toMatchObject({ status: 'ended', reason: 'answer' })
  goOn()
  await expect(first).rejects.toMatchObject({ problem: 'busy' })
  // Calls that have started are not repeated, and the process that lost the run starts no further
  // calls.
  expect([...done].sort()).toEqual(['a a', 'a b'])
  const kinds = (await journal.read('a')).map(({ key, kind }) => `${kind} ${key}`)
  expect(kinds.filter((each) => each.startsWith('begin'))).toEqual([
    'begin turn/0/call/0',
    'begin turn/1/call/0',
  ])
})

test('throws if the journal fails or the tools differ, because another process may succeed', async () => {
  const full = journalOn(new Map(), { failsAt: 3 })
  const model = scripted(replies)
  const options = { id: 'a', model, tools: [writer()], prompt: 'Go', permissions: allow }
  await expect(drive({ ...options, journal: full })).rejects.toMatchObject({ problem: 'full' })

  const journal = memoryJournal()
  const release = AbortSignal.abort()
  expect(await drive({ ...options, journal, release })).toMatchObject({ status: 'released' })
  const other = drive({ ...options, journal, tools: [writer(), reader()] })
  await expect(other).rejects.toMatchObject({ problem: 'changed' })
  await expect(other).rejects.toThrow(
    'The setup of the run has changed: the tools have changed: look is new.',
  )
  expect(await journal.runs()).toMatchObject([{ state: 'interrupted' }])
})

test('asks about a different version if configured, and the answer applies to exactly these changes', async () => {
  const journal = memoryJournal()
  const put = writer()
  const options = { id: 'a', journal, tools: [put], prompt: 'Go', permissions: allow }
  const there = { ...options, version: '2', whenChanged: 'ask' as const }
  const old = { ...options, version: '1', model: scripted(replies), release: AbortSignal.abort() }
  await drive(old)
  const asked = await drive({ ...there, model: scripted(replies) })
  expect(asked).toMatchObject({ status: 'waiting' })
  const [request] = await journal.waiting()
  expect(request).toMatchObject({
    type: 'question',
    questions: [{ question: expect.stringContaining('the version was 1 and is 2') }],
  })
  const { key } = request!
  const question = request?.type === 'question' ? request.questions[0]!.question : ''
  await journal.answer('a', key, { [question]: 'Continue' })
  expect(await drive({ ...there, model: scripted(replies) })).toMatchObject({ reason: 'answer' })
  expect(put.made).toEqual(['a', 'b'])

  // Any other answer leaves the run to the old version, and the question is not asked a second
  // time.
  await drive({ ...old, id: 'b' })
  await drive({ ...there, id: 'b', model: scripted(replies) })
  await journal.answer('b', key, 'Continue')
  for (const _ of [1, 2]) {
    const left = drive({ ...there, id: 'b', model: scripted(replies) })
    await expect(left).rejects.toMatchObject({ problem: 'changed' })
  }
  // The version with which the run started needs no answer.
  const { release: _, ...again } = old
  expect(await drive({ ...again, id: 'b' })).toMatchObject({ reason: 'answer' })
  // Every caller gets the end.
  expect(await drive({ ...there, id: 'b', model: scripted([]) })).toMatchObject({
    reason: 'answer',
  })
})

test('a changed run continues if configured', async () => {
  const journal = memoryJournal()
  const options = { id: 'a', journal, tools: [writer()], prompt: 'Go', permissions: allow }
  await drive({ ...options, version: '1', model: scripted([]), release: AbortSignal.abort() })
  const model = scripted(replies)
  const ended = await drive({ ...options, version: '2', whenChanged: 'continue', model })
  expect(ended).toMatchObject({ reason: 'answer' })
})
