import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { sharedFolderOf } from '../../../../../tests/helpers/folder.ts'
import { type FakeLlama, fakeLlama } from '../../../test/fake-llama.ts'
import { type Value, writeGguf } from '../../../test/write-gguf.ts'
import type { Model, ModelChunk, ModelRequest } from '../../model/model.ts'
import { LlamaFailure } from './llama/llama-process.ts'
import { ggufModel, type GgufOptions, unloadGguf } from './gguf-model.ts'

let llama: FakeLlama
const folder = sharedFolderOf({
  'node_modules/node-llama-cpp/package.json': { version: '3.22.1', main: 'index.js' },
  'node_modules/node-llama-cpp/index.js': '',
})
const path = join(folder, 'a.gguf')
beforeEach(() => {
  llama = fakeLlama('one two three')
})
afterEach(() => unloadGguf())

const text = (value: string): Value => ({ type: 'text', value })

async function connect(
  entries: readonly (readonly [string, Value])[] = [],
  options: Partial<GgufOptions> = {},
): Promise<Model> {
  const all = [['general.architecture', text('llama')] as const, ...entries]
  writeFileSync(path, writeGguf({ entries: all }))
  return ggufModel({ path, runtimeFolder: folder, ...options }, llama.start)
}

const ask = (request: Partial<ModelRequest> = {}): ModelRequest => ({
  messages: [{ role: 'user', content: 'Hello' }],
  signal: new AbortController().signal,
  ...request,
})

async function reply(model: Model, request: Partial<ModelRequest> = {}): Promise<ModelChunk[]> {
  const chunks: ModelChunk[] = []
  for await (const chunk of model.reply(ask(request))) chunks.push(chunk)
  return chunks
}

const textOf = (chunks: readonly ModelChunk[]): string =>
  chunks.map((chunk) => (chunk.type === 'text' ? chunk.delta : '')).join('')

test('facts come from the file', async () => {
  const context: Value = { type: 'uint32', value: 4096 }
  const model = await connect([
    ['general.name', text('Qwen3 \u001b[31m8B')],
    ['llama.context_length', context],
  ])
  expect(model).toMatchObject({
    name: 'Qwen3 �[31m8B',
    provider: 'GGUF',
    contextTokens: 4096,
    prefill: true,
    grammars: ['gbnf'],
  })
  expect((await connect()).name).toBe('a')
  expect((await connect()).contextTokens).toBe(32_768)
  expect(
    (await connect([['llama.context_length', context]], { contextTokens: 99 })).contextTokens,
  ).toBe(99)
})

test('replies, and reports the number of tokens', async () => {
  const notes: unknown[] = []
  const model = await connect([], { onProgress: (note) => notes.push(note) })
  expect(notes).toEqual([])
  const chunks = await reply(model)
  expect(textOf(chunks)).toBe('one two three')
  const [usage, finish] = chunks.slice(-2)
  expect(finish).toEqual({ type: 'finish', finish: 'stop' })
  expect(usage).toMatchObject({ type: 'usage', usage: { output: 14, cached: 0 } })
  expect(notes).toEqual([
    { text: 'Loading a', done: 50, total: 100 },
    { text: 'Loading a', done: 100, total: 100 },
  ])
})

test('reports progress on a long prompt', async () => {
  const notes: unknown[] = []
  const model = await connect([], { onProgress: (note) => notes.push(note) })
  await reply(model, { messages: [{ role: 'user', content: 'x'.repeat(300) }] })
  const total = expect.any(Number) as number
  expect(notes.slice(2)).toEqual([
    { text: 'a reads the prompt', done: 0, total },
    { text: 'a reads the prompt', done: 256, total },
  ])
})

test('stops at a stop string and at the maximum', async () => {
  const model = await connect()
  const stopped = await reply(model, { stop: [' three'] })
  expect(textOf(stopped)).toBe('one two')
  expect(stopped.at(-1)).toMatchObject({ finish: 'stop-string' })
  const short = await reply(model, { maxTokens: 5 })
  expect(textOf(short)).toBe('one t')
  expect(short.at(-1)).toMatchObject({ finish: 'length' })
})

test('additional fields are applied or rejected, never ignored', async () => {
  const model = await connect()
  expect(textOf(await reply(model, { body: { top_k: 20, min_p: 0.1 } }))).toBe('one two three')
  for (const body of [{ top_k: -1 }, { min_p: 2 }, { repeat_penalty: 1.1 }])
    await expect(reply(model, { body })).rejects.toThrow(
      /^Models in files support only top_k and min_p as additional fields: leave out /,
    )
})

test('counts tokens even while it replies', async () => {
  const model = await connect()
  const { signal } = new AbortController()
  expect(await model.countTokens!('four', signal)).toBe(4)
  for await (const chunk of model.reply(ask())) {
    if (chunk.type === 'text') expect(await model.countTokens!('four', signal)).toBe(4)
  }
})

test('keeps what it has read when it is stopped in the middle of the prompt', async () => {
  const model = await connect()
  const controller = new AbortController()
  const messages = [{ role: 'user', content: 'x'.repeat(700) }] as const
  let finish = (): void => {}
  let steps = 0
  llama.step = () => {
    if (++steps < 2) return Promise.resolve()
    return new Promise<void>((resolve) => (finish = resolve))
  }
  const reading = reply(model, { messages, signal: controller.signal })
  await vi.waitFor(() => expect(steps).toBe(2))
  controller.abort(new Error('enough'))
  await expect(reading).rejects.toThrow('enough')
  llama.step = async () => {}
  const next = reply(model, { messages })
  finish()
  expect((await next).find((chunk) => chunk.type === 'usage')).toMatchObject({
    usage: { cached: 512 },
  })
})

test('a failure in the middle is reported, and the next reply works', async () => {
  const model = await connect()
  llama.step = () => Promise.reject(new LlamaFailure('Error', 'decode\u001b[31m failed'))
  await expect(reply(model)).rejects.toThrow(/^a failed \(decode�\[31m failed\)/)
  llama.step = async () => {}
  expect(textOf(await reply(model))).toBe('one two three')
})

test('a process that ends in the middle is replaced', async () => {
  const model = await connect()
  llama.step = () => Promise.reject(new LlamaFailure('ended', 'SIGABRT'))
  await expect(reply(model)).rejects.toMatchObject({ problem: 'cut_off', isTransient: true })
  llama.step = async () => {}
  expect(textOf(await reply(model))).toBe('one two three')
})

describe('rejects', () => {
  test.each([
    [
      'an adapter',
      [['general.type', text('adapter')]],
      /contains only a part of a model \(adapter\)/,
    ],
    [
      'a second part',
      [
        ['split.no', { type: 'uint16', value: 1 }],
        ['split.count', { type: 'uint16', value: 3 }],
      ],
      /is part 2 of 3. Use the path of the first part/,
    ],
  ] as const)('%s', async (_, entries, message) => {
    await expect(connect(entries)).rejects.toThrow(message)
  })

  test('other kinds of files, before installing anything', async () => {
    writeFileSync(path, '<!doctype html>')
    const connecting = ggufModel({ path, runtimeFolder: '/nowhere' })
    await expect(connecting).rejects.toThrow(/starts with '<!do' instead of 'GGUF'/)
  })

  test.each([
    [
      'throws',
      `{{ raise_exception('only in French') }}`,
      /rejected the conversation: only in French/,
    ],
    [
      'loops',
      '{% for a in range(99999) %}{% for b in range(99999) %}x{% endfor %}{% endfor %}',
      /more than \d+ steps/,
    ],
    ['is broken', '{% if %}', /cannot be rendered/],
  ])('a conversation that a template cannot print, because it %s', async (_, template, message) => {
    const model = await connect([['tokenizer.chat_template', text(template)]])
    await expect(reply(model)).rejects.toThrow(message)
    expect(llama.log).toEqual([])
  })

  test('a prompt longer than the context', async () => {
    const model = await connect([], { contextTokens: 64 })
    const messages = [{ role: 'user', content: 'x'.repeat(100) }] as const
    await expect(reply(model, { messages })).rejects.toMatchObject({ problem: 'context_overflow' })
  })

  test('images', async () => {
    const image = { type: 'image', url: 'data:image/png;base64,iVBORw0KGgo=' } as const
    const messages = [{ role: 'user', content: [image] }] as const
    await expect(reply(await connect(), { messages })).rejects.toThrow(/does not accept images/)
  })
})

test('a changed file is read again', async () => {
  const one = await connect([['general.name', text('One')]])
  expect((await connect([['general.name', text('Another')]])).name).toBe('Another')
  expect(one.name).toBe('One')
})
