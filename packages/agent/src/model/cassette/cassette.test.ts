import { appendFileSync, readFileSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { folderOf } from '../../../../../tests/helpers/folder.ts'
import { delta, events, modelServer } from '../../../test/model-server.ts'
import { chunksOf, failureOf, textIn } from '../../../test/replies.ts'
import { cassetteFile } from '../../node/cassette-file.ts'
import { cassette } from './cassette.ts'
import { memoryCassette } from './recording.ts'
import type { ModelRequest } from '../model.ts'
import { ModelError } from '../model-error.ts'
import { openAiCompatible } from '../open-ai/open-ai-compatible.ts'
import { scriptedModel } from '../scripted-model.ts'

const silent = scriptedModel([])

test("replays a real server's reply without the server, and stores no key", async () => {
  const { url, requests } = await modelServer(
    events(
      delta({ reasoning: 'Hm' }),
      delta({ content: 'Xin ' }),
      delta({ content: 'chào' }),
      delta({}, 'stop'),
      '[DONE]',
    ),
  )
  const file = join(folderOf(), 'deep', 'cassette.jsonl')
  const store = cassetteFile(file)
  const headers = { 'x-secret': 'hush-hush' }
  const model = openAiCompatible({ url, model: 'qwen3', key: 'sk-secret-key', headers })

  const recorded = await chunksOf(cassette(model, { store, mode: 'record' }))
  expect(textIn(recorded)).toBe('Xin chào')
  const replay = cassette(model, { store: cassetteFile(file), mode: 'replay', timed: true })
  expect(replay).toMatchObject({ name: 'qwen3' })
  for (const _ of [1, 2]) expect(await chunksOf(replay)).toEqual(recorded)
  expect(requests).toHaveLength(1)

  const content = readFileSync(file, 'utf8')
  for (const secret of ['sk-secret-key', 'hush-hush', '127.0.0.1'])
    expect(content).not.toContain(secret)
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('auto sends only requests that are not recorded, ignoring the order of keys', async () => {
  const store = memoryCassette()
  const model = scriptedModel(['one', 'two'])
  const auto = cassette(model, { store, mode: 'auto' })
  const tool = (parameters: object): object => ({ tools: [{ name: 'a', parameters }] })
  expect(textIn(await chunksOf(auto, tool({ type: 'object', required: [] })))).toBe('one')
  const again = cassette(model, { store, mode: 'auto' })
  expect(textIn(await chunksOf(again, tool({ required: [], type: 'object' })))).toBe('one')
  expect(textIn(await chunksOf(again, { temperature: 1 }))).toBe('two')
  expect(model.requests).toHaveLength(2)
})

test('a request recorded twice has two replies', async () => {
  const store = memoryCassette()
  const record = cassette(scriptedModel(['one', 'two']), { store, mode: 'record' })
  await chunksOf(record)
  await chunksOf(record)
  const replay = cassette(silent, { store, mode: 'replay' })
  const texts = [textIn(await chunksOf(replay)), textIn(await chunksOf(replay))]
  expect(texts).toEqual(['one', 'two'])
})

const fixture = new URL('../../../test/fixtures/cassette-0.1.jsonl', import.meta.url)

test('finds recordings from before requests had more fields', async () => {
  const store = cassetteFile(fileURLToPath(fixture))
  const replay = cassette(silent, { store, mode: 'replay' })
  expect(textIn(await chunksOf(replay))).toBe('Xin chào')
  // Default values are recorded like missing ones.
  const defaults = { toolChoice: 'auto', prefill: '', responseFormat: { type: 'text' }, body: {} }
  expect(textIn(await chunksOf(replay, defaults as Partial<ModelRequest>))).toBe('Xin chào')
  const [, second] = await store.load()
  const { model: _, ...asked } = second!.asked
  expect(await chunksOf(replay, asked)).toMatchObject([{ name: 'get_weather' }, { type: 'finish' }])
})

test.each<[Partial<ModelRequest>, string]>([
  [{ toolChoice: 'none' }, 'in toolChoice: recorded none, requested "none"'],
  [{ prefill: 'He' }, 'in prefill: recorded none, requested "He"'],
  [{ grammar: { syntax: 'gbnf', text: 'a' } }, 'in grammar: recorded none, requested {"syntax"'],
  [{ responseFormat: { type: 'json' } }, 'in responseFormat: recorded none, requested {"type"'],
  [{ topP: 0 }, 'in topP: recorded none, requested 0'],
  [{ seed: 0 }, 'in seed: recorded none, requested 0'],
  [{ body: { top_k: 1 } }, 'in body: recorded none, requested {"top_k":1}'],
])('%j is part of a recorded request', async (more, message) => {
  const facts = { prefill: true, grammars: ['gbnf'] } as const
  const store = memoryCassette()
  const record = cassette(scriptedModel(['one', 'two'], facts), { store, mode: 'record' })
  await chunksOf(record)
  const replay = cassette(silent, { store, mode: 'replay' })
  expect((await failureOf(replay, more)).message).toContain(message)
  await chunksOf(record, more)
  expect(textIn(await chunksOf(replay, more))).toBe('two')
  expect((await store.load())[1]?.asked).toMatchObject(more)
})

const shown = (url: string): Partial<ModelRequest> => ({
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Look' },
        { type: 'image', url },
      ],
    },
  ],
})

test.each<[Partial<ModelRequest>, Partial<ModelRequest>, string]>([
  [shown('https://a/1.png'), shown('https://a/2.png'), 'recorded "1.png'],
  [shown('https://a/1.png'), {}, 'in message 1 (user), character 1: recorded "[{'],
  [{}, shown('https://a/1.png'), 'character 1: recorded "\\"Hello'],
  [
    { messages: [{ role: 'assistant', content: '', calls: [{ id: 'a', name: 'x', args: {} }] }] },
    { messages: [{ role: 'assistant', content: '', calls: [{ id: 'b', name: 'x', args: {} }] }] },
    'requested "b',
  ],
])(
  'describes the difference between messages with more than text: %j and %j',
  async (one, other, message) => {
    const store = memoryCassette()
    const model = scriptedModel(['one'], { images: true })
    const record = cassette(model, { store, mode: 'record' })
    await chunksOf(record, one)
    const replay = cassette(silent, { store, mode: 'replay' })
    expect((await failureOf(replay, other)).message).toContain(message)
    expect(textIn(await chunksOf(replay, one))).toBe('one')
  },
)

test('replays errors, and does not store aborted replies', async () => {
  const store = memoryCassette()
  const error = new ModelError('rate_limited', 'slow down', { status: 429, retryAfter: 9 })
  await failureOf(cassette(scriptedModel([error]), { store, mode: 'record' }))
  expect(await failureOf(cassette(silent, { store, mode: 'replay' }))).toMatchObject({
    problem: 'rate_limited',
    message: 'slow down',
    status: 429,
    retryAfter: 9,
  })

  const controller = new AbortController()
  const stopping = scriptedModel(['abc', 'abc'], { chunkSize: 1 })
  const recording = cassette(stopping, { store, mode: 'record' })
  const read = async (): Promise<void> => {
    for await (const _ of recording.reply({ messages: [], signal: controller.signal }))
      controller.abort(new Error('stopped'))
  }
  await expect(read()).rejects.toThrow('stopped')
  for await (const _ of recording.reply({ messages: [], signal: new AbortController().signal }))
    break
  expect(await store.load()).toHaveLength(1)
})

test.each([
  [{}, [], 'it has no recordings'],
  [
    { messages: [{ role: 'user' as const, content: 'Hello, you' }] },
    ['one'],
    'in message 1 (user), character 6: recorded the end of the text, requested ", you"',
  ],
  [{ temperature: 1 }, ['one'], 'in temperature: recorded none, requested 1'],
  [{ messages: [] }, ['one'], 'in the number of messages: recorded 1, requested 0'],
])(
  'a missing request is reported with the most similar one: %j',
  async (request, replies, message) => {
    const store = memoryCassette()
    const record = cassette(scriptedModel(replies), { store, mode: 'record' })
    if (replies.length > 0) await chunksOf(record)
    const error = await failureOf(cassette(silent, { store, mode: 'replay' }), request)
    expect(error).toMatchObject({ problem: 'refused', isTransient: false })
    expect(error.message).toContain(message)
  },
)

test('reads a file with an incomplete last line, and rejects an invalid file', async () => {
  const file = join(folderOf(), 'cassette.jsonl')
  const store = cassetteFile(file)
  const recording = cassette(scriptedModel(['one', 'two', 'three']), { store, mode: 'record' })
  await chunksOf(recording)
  await chunksOf(recording, { temperature: 1 })
  truncateSync(file, statSync(file).size - 20)
  expect(await store.load()).toHaveLength(1)

  appendFileSync(file, 'not JSON\n{}\n')
  await expect(store.load()).rejects.toThrow(`${file}:2 is not a recording`)
})
