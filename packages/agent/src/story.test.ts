// Start here: a program that uses an agent. The model follows a script; everything else is real.
import { printCall } from '@toolglot/core'
import { expect, test } from 'vitest'
import { collect, replay, run, tool } from './index.ts'
import { memoryJournal } from './journal/index.ts'
import { scriptedModel } from './testing.ts'

const weather = tool({
  name: 'get_weather',
  description: 'Get the weather in a city',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
  },
  readOnly: true,
  execute: ({ city }: { city: string }) => `It is clear in ${city}.`,
})
const notes: string[] = []
const save = tool({
  name: 'save',
  description: 'Save a note',
  parameters: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  execute: ({ text }: { text: string }) => `Note ${notes.push(text)}`,
})
const asks = printCall('hermes', { name: 'get_weather', args: { city: 'Hanoi' } })
const saves = printCall('hermes', { name: 'save', args: { text: 'Take an umbrella' } })

test('I ask a model, it calls my tool, and I get its answer', async () => {
  const model = scriptedModel([`I look.\n${asks}`, 'No umbrella needed.'])
  const result = await collect(run({ model, tools: [weather], prompt: 'Umbrella in Hanoi?' }))
  expect(result).toMatchObject({ reason: 'answer', text: 'No umbrella needed.' })
  expect(result.calls).toMatchObject([{ name: 'get_weather', args: { city: 'Hanoi' } }])
})

test('I watch each step while it happens', async () => {
  const model = scriptedModel([asks, 'Clear.'])
  const types: string[] = []
  for await (const { type } of run({ model, tools: [weather], prompt: 'Hanoi?' })) types.push(type)
  const steps = ['turn-start', 'call-end', 'tool-start', 'tool-end', 'text', 'run-end']
  expect(types.filter((type, at) => steps.includes(type) && type !== types[at - 1])).toEqual([
    ...steps.slice(0, 4),
    'turn-start',
    ...steps.slice(4),
  ])
})

test('A tool that changes something runs only if a rule or a person allows it', async () => {
  const options = { tools: [save], prompt: 'Remember the umbrella' }
  const tryIt = (more: object) =>
    collect(run({ model: scriptedModel([saves, 'Done.']), ...options, ...more }))
  await tryIt({})
  expect(notes).toEqual([])
  await tryIt({ permissions: { allow: ['save'] } })
  await tryIt({ approve: async () => ({ verdict: 'allow' }) })
  expect(notes).toHaveLength(2)
})

test('A tool that fails does not end the run: the model reads why', async () => {
  const model = scriptedModel([asks.replace('"city"', '"town"'), asks, 'Clear.'])
  const { text, calls } = await collect(run({ model, tools: [weather], prompt: 'Hanoi?' }))
  expect(text).toBe('Clear.')
  expect(calls.map(({ outcome }) => outcome?.status)).toEqual(['error', 'success'])
})

test('An interrupted run continues without repeating any step', async () => {
  const journal = memoryJournal()
  const stop = new AbortController()
  const model = scriptedModel([saves, () => stop.abort() as never, 'Saved.'])
  const options = { id: 'run-1', journal, model, tools: [save], permissions: { allow: ['save'] } }
  const before = notes.length
  const cut = await collect(run({ ...options, prompt: 'Remember it', signal: stop.signal }))
  expect(cut.reason).toBe('cancelled')
  const { text } = await collect(run({ ...options, resume: true }))
  expect(text).toBe('Saved.')
  expect(notes.length - before).toBe(1)
  // The recorded events can be replayed.
  const events = [...replay('run-1', await journal.read('run-1'))]
  expect(events.at(-1)).toMatchObject({ type: 'run-end', reason: 'answer' })
})
