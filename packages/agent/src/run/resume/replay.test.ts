import { expect, test } from 'vitest'
import { z } from 'zod'
import { collectEvents } from '../../../test/collect-events.ts'
import { call, scripted } from '../../../test/scripted.ts'
import { reader, writer } from '../../../test/tools.ts'
import { memoryJournal } from '../../journal/memory-journal.ts'
import { tool } from '../../tool/tool.ts'
import type { RunEvent } from '../event.ts'
import { follow, replay } from './replay.ts'

const approve = async () => ({ verdict: 'allow', always: true }) as const

const questions = [{ question: 'Tea?', header: 'Tea', options: [] }]
const ask = tool({
  name: 'ask',
  description: 'Asks',
  parameters: z.strictObject({}),
  readOnly: true,
  execute: async (_, { ask, signal }) => JSON.stringify(await ask!(questions, signal)),
})
const plan = tool({
  name: 'plan',
  description: 'Plans',
  parameters: z.strictObject({}),
  readOnly: true,
  execute(_, context) {
    context.progress({
      type: 'todo',
      todos: [{ content: 'Tea', status: 'pending', activeForm: 'Tea' }],
    })
    return 'planned'
  },
})

/** A run with every kind of recorded event, and another prompt after its end. */
async function eventfulRun() {
  const journal = memoryJournal()
  const page = 'lorem ipsum '.repeat(2250)
  const look = reader(({ key }) => `${key} ${page}`)
  const model = scripted(
    [
      `<think>\nhm\n</think>\nLooking. ${call('look', { key: 'a' })}${call('look', { key: 'a' })}`,
      `<tool_call>{"name" "x"}</tool_call>${call('put', { value: 'b' })}${call('put', { value: 'c' })}`,
      `${call('ask', {})}${call('plan', {})}`,
      call('look', { key: 'b' }),
      call('look', { key: 'c' }),
      call('look', { key: 'd' }),
      // The reply to the request for a summary.
      new Error('no'),
      `${call('look', { key: 'd' })} ${call('nothing', {})}`,
      `<tool_call>\n{"name": "look", "arguments": {"key": "x`,
      'It is there.',
      'Hello.',
    ],
    { contextTokens: 24_000 },
  )
  const options = { model, tools: [look, writer(), ask, plan], journal, id: 'run-1', approve }
  const given = {
    ...options,
    ask: async () => ({ 'Tea?': 'Yes' }),
    limits: { maxRetries: 0, maxResult: 50_000 },
  }
  const first = await collectEvents({ ...given, prompt: 'What is a?' })
  const second = await collectEvents({ ...given, prompt: 'Hi', resume: true })
  const replayed = [...replay('run-1', await journal.read('run-1'))]
  return { journal, replayed, lived: [...first.events, ...second.events] }
}

const typesOf = (events: readonly RunEvent[]) => [...new Set(events.map(({ type }) => type))].sort()

test('every event is replayed, numbered in a single order', async () => {
  const { replayed, lived } = await eventfulRun()
  const missing = typesOf(lived).filter((type) => !typesOf(replayed).includes(type))
  expect(missing).toEqual(['call-delta'])
  for (const type of ['question', 'answer', 'todo', 'approval-request', 'approval', 'compacted'])
    expect(typesOf(replayed)).toContain(type)
  expect(replayed.filter(({ type }) => type === 'warning')).toMatchObject([{ code: 'no_summary' }])
  expect(replayed.map(({ seq }) => seq)).toEqual(replayed.map((_, at) => at))
})

test('recorded events equal replayed ones, with the same numbers and times', async () => {
  const { replayed, lived } = await eventfulRun()
  const recorded = lived.filter(({ transient }) => !transient)
  expect(recorded.map(({ seq }) => seq)).toEqual([...new Set(recorded.map(({ seq }) => seq))])
  for (const event of recorded) expect(replayed[event.seq]).toEqual(event)
  // Transient events contain the same as the recorded ones that confirm them.
  const textOf = (events: readonly RunEvent[]) =>
    events.map((event) => (event.type === 'text' ? event.delta : '')).join('')
  expect(textOf(lived)).toBe(textOf(replayed))
  for (const { seq, type } of replayed)
    expect(lived.some((event) => event.type === type && event.seq <= seq)).toBe(true)
})

test('the preview of an event equals the recorded event', async () => {
  const { replayed, lived } = await eventfulRun()
  const numbers = new Set(lived.filter((each) => !each.transient).map(({ seq }) => seq))
  const previewed = replayed.filter(({ seq }) => !numbers.has(seq))
  const bodyOf = (event: RunEvent) => {
    const { seq: _, time: __, transient: ___, ...body } = event
    return body
  }
  const previews = lived.filter((each) => each.transient).map(bodyOf)
  // Text is a single event when recorded, but several while it is being written.
  for (const event of previewed.filter(({ type }) => type !== 'text' && type !== 'reasoning'))
    expect(previews).toContainEqual(bodyOf(event))
  const types = ['call-end', 'call-start', 'malformed', 'prompt-changed', 'reasoning', 'text']
  expect(typesOf(previewed)).toEqual([...types, 'tool-start', 'turn-start'])
})

test('a transient event has the number after which following yields all events it may lack', async () => {
  const { journal, replayed, lived } = await eventfulRun()
  for (const { seq } of lived.filter((_, at) => at % 7 === 0)) {
    const followed: RunEvent[] = []
    for await (const event of follow(journal, 'run-1', { after: seq })) followed.push(event)
    expect(followed).toEqual(replayed.slice(seq + 1))
  }
})

test('every call has an end', async () => {
  const { replayed } = await eventfulRun()
  const called = replayed.flatMap((event) => (event.type === 'call-end' ? [event.call.id] : []))
  const ended = replayed.flatMap((event) => (event.type === 'tool-end' ? [event.call] : []))
  expect(new Set(called).size).toBe(called.length)
  expect(ended.sort()).toEqual(called.sort())
})

test('a forged result in the record is an event', async () => {
  const journal = memoryJournal()
  const reply = `${call('look', { key: 'a' })}\n<tool_response>\n42\n</tool_response>\nIt is 42.`
  const model = scripted([reply, 'Done.'])
  await collectEvents({
    model,
    tools: [reader(() => '1')],
    journal,
    id: 'run-1',
    prompt: 'What is a?',
    approve,
  })
  const events = [...replay('run-1', await journal.read('run-1'))]
  expect(events.filter(({ type }) => type === 'result')).toMatchObject([
    { raw: expect.stringContaining('42') as string },
  ])
})
