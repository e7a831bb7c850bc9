import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Model, ModelChunk, ModelRequest } from '@toolglot/agent'
import { ggufModel, type GgufOptions } from '@toolglot/agent/node'
import { unloadGguf } from '@toolglot/agent/node/internal'
import { afterEach, describe, expect, test } from 'vitest'
import { sharedFolderOf } from '../helpers/folder.ts'
import { tinyModel, type TinyModelOptions } from './tiny-model.ts'

const folder = sharedFolderOf()
afterEach(() => unloadGguf())

/** The library is installed here, so there is no question about installing it. */
const runtimeFolder = fileURLToPath(new URL('.', import.meta.url))

async function connect(
  tiny: TinyModelOptions = {},
  options: Partial<GgufOptions> = {},
): Promise<Model> {
  const path = join(folder, 'tiny.gguf')
  writeFileSync(path, tinyModel(tiny))
  return ggufModel({ path, runtimeFolder, threads: 1, ...options })
}

interface Reply {
  readonly text: string
  readonly pieces: number
  readonly usage: { readonly input: number; readonly output: number; readonly cached?: number }
  readonly finish: string
}

async function reply(model: Model, request: Partial<ModelRequest> = {}): Promise<Reply> {
  const chunks: ModelChunk[] = []
  for await (const chunk of model.reply(ask(request))) chunks.push(chunk)
  const texts = chunks.flatMap((chunk) => (chunk.type === 'text' ? [chunk.delta] : []))
  const usage = chunks.find((chunk) => chunk.type === 'usage')!.usage
  const { finish } = chunks.find((chunk) => chunk.type === 'finish')!
  expect(chunks.at(-1)?.type).toBe('finish')
  return { text: texts.join(''), pieces: texts.length, usage, finish }
}

function ask(request: Partial<ModelRequest> = {}): ModelRequest {
  return {
    messages: [{ role: 'user', content: 'Hello' }],
    maxTokens: 20,
    seed: 1,
    signal: new AbortController().signal,
    ...request,
  }
}

/** A reply that never ends on its own. */
const endless = {
  grammar: { syntax: 'gbnf', text: 'root ::= [a-z] root' },
  maxTokens: 100_000,
} as const

test('reads its metadata from the file, and loads the model only when needed', async () => {
  const notes: string[] = []
  const model = await connect(
    {},
    { onProgress: ({ text, done, total }) => notes.push(`${text} ${done}/${total}`) },
  )
  expect(model).toMatchObject({ name: 'Tiny', provider: 'GGUF', contextTokens: 2048 })
  expect(model.chatTemplate).toContain('<tool_call>')
  expect(notes).toEqual([])
  await reply(model)
  expect(notes.at(-1)).toBe('Loading Tiny 100/100')
  const { length } = notes
  await reply(model)
  expect(notes.length).toBe(length)
})

test('streams, and gives the same reply for the same seed', async () => {
  const model = await connect()
  const one = await reply(model)
  expect(one.pieces).toBeGreaterThan(2)
  expect(one.finish).toBe('length')
  expect(one.usage.output).toBe(20)
  expect((await reply(model)).text).toBe(one.text)
  expect((await reply(model, { seed: 2 })).text).not.toBe(one.text)
})

test('counts with its tokenizer', async () => {
  const model = await connect()
  const { signal } = new AbortController()
  // Every byte is a token, as is "th".
  expect(await model.countTokens!('the ü', signal)).toBe(5)
})

test('supports a vocabulary with spaces at the start of words', async () => {
  const model = await connect({ vocabulary: 'words' })
  const { signal } = new AbortController()
  expect(await model.countTokens!(' one two', signal)).toBeLessThan(8)
  const sentence = 'one  two, (three) <tool_call> ü one'
  const grammar = { syntax: 'gbnf', text: `root ::= "${sentence}"` } as const
  for (const seed of [1, 2, 3]) {
    const { text, finish } = await reply(model, { grammar, seed, maxTokens: 100 })
    expect({ text, finish }).toEqual({ text: sentence, finish: 'stop' })
  }
  const prefilled = await reply(model, { grammar, prefill: 'So:', maxTokens: 100 })
  expect(prefilled.text).toBe(sentence)
})

test('processes only new text in a second turn', async () => {
  const model = await connect()
  const first = await reply(model, { grammar: { syntax: 'gbnf', text: 'root ::= "Hi"' } })
  expect(first).toMatchObject({ text: 'Hi', finish: 'stop', usage: { cached: 0, output: 3 } })
  const second = await reply(model, {
    messages: [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'Hi' },
      { role: 'user', content: 'And now?' },
    ],
  })
  expect(second.usage.cached).toBeGreaterThanOrEqual(first.usage.input)
  expect(second.usage.input).toBeGreaterThan(second.usage.cached!)
})

describe('a reply ends', () => {
  const grammar = { syntax: 'gbnf', text: 'root ::= "one two three" [a-z]*' } as const

  test('at a stop string, even one of several tokens', async () => {
    const { text, finish } = await reply(await connect(), { grammar, stop: ['never', 'two'] })
    expect({ text, finish }).toEqual({ text: 'one ', finish: 'stop-string' })
  })

  test('at its maximum', async () => {
    const { text, finish, usage } = await reply(await connect(), { grammar, maxTokens: 6 })
    expect({ text, finish }).toEqual({ text: 'one tw', finish: 'length' })
    expect(usage.output).toBe(6)
  })

  test('when the context is full', async () => {
    const model = await connect({ contextTokens: 256 })
    const { finish, usage } = await reply(model, endless)
    expect(finish).toBe('length')
    expect(usage.input + usage.output).toBe(256)
  })

  test('before it starts if the prompt is longer than the context', async () => {
    const model = await connect({ contextTokens: 256 })
    for (const length of [300, 1_000_000]) {
      const messages = [{ role: 'user' as const, content: 'x'.repeat(length) }]
      await expect(reply(model, { messages })).rejects.toMatchObject({
        problem: 'context_overflow',
      })
    }
    expect((await reply(model)).finish).toBe('length')
  })
})

describe('stops', () => {
  test('at once in the middle of a reply, and can reply again', async () => {
    const model = await connect()
    const controller = new AbortController()
    const got: ModelChunk[] = []
    const reading = async (): Promise<void> => {
      for await (const chunk of model.reply(ask({ ...endless, signal: controller.signal }))) {
        got.push(chunk)
        if (got.length === 3) controller.abort(new Error('enough'))
      }
    }
    await expect(reading()).rejects.toThrow('enough')
    expect(got.length).toBe(3)
    expect((await reply(model)).finish).toBe('length')
  })

  test('while it loads', async () => {
    const controller = new AbortController()
    const onProgress = (): void => controller.abort(new Error('enough'))
    const model = await connect({}, { onProgress })
    await expect(reply(model, { signal: controller.signal })).rejects.toThrow('enough')
    expect((await reply(await connect())).finish).toBe('length')
  })

  test('while it processes the prompt, and keeps the processed part', async () => {
    const controller = new AbortController()
    const onProgress: GgufOptions['onProgress'] = ({ text, done = 0 }) => {
      if (text === 'Tiny reads the prompt' && done >= 512) controller.abort(new Error('enough'))
    }
    const model = await connect({ contextTokens: 8192 }, { onProgress })
    const messages = [{ role: 'user' as const, content: 'x'.repeat(3000) }]
    const { signal } = controller
    await expect(reply(model, { messages, signal })).rejects.toThrow('enough')
    const { usage } = await reply(model, { messages })
    expect(usage.input).toBeGreaterThan(3000)
    expect(usage.cached).toBeGreaterThanOrEqual(512)
  })

  test('if its reader stops', async () => {
    const model = await connect()
    for await (const chunk of model.reply(ask(endless))) if (chunk.type === 'text') break
    expect((await reply(model)).finish).toBe('length')
  })

  test('at a timeout', async () => {
    const model = await connect()
    await reply(model)
    const endlessly = reply(model, { ...endless, timeout: 30 })
    await expect(endlessly).rejects.toMatchObject({ problem: 'timeout' })
  })
})

test('answers simultaneous requests one by one', async () => {
  const model = await connect()
  const alone = await reply(model, { seed: 7 })
  const all = await Promise.all([1, 7, 3, 7].map((seed) => reply(model, { seed })))
  expect(all[1]!.text).toBe(alone.text)
  expect(all[3]!.text).toBe(alone.text)
})

test('has memory for one model: another one replaces it', async () => {
  const one = await connect({ seed: 1 })
  const first = await reply(one)
  const path = join(folder, 'other.gguf')
  writeFileSync(path, tinyModel({ seed: 2 }))
  const other = await ggufModel({ path, runtimeFolder, threads: 1 })
  expect((await reply(other)).text).not.toBe(first.text)
  expect((await reply(one)).text).toBe(first.text)
})

describe('refuses', () => {
  test('an invalid grammar', async () => {
    const grammar = { syntax: 'gbnf', text: 'root ::= (' } as const
    await expect(reply(await connect(), { grammar })).rejects.toThrow(
      /llama\.cpp rejects the grammar/,
    )
  })

  test('a file without its tensors', async () => {
    const path = join(folder, 'cut.gguf')
    writeFileSync(path, tinyModel().subarray(0, 100_000))
    const model = await ggufModel({ path, runtimeFolder, threads: 1 })
    await expect(reply(model)).rejects.toThrow(/llama\.cpp cannot load .*download it again/)
  })
})

test('a file that crashes llama.cpp affects nothing else', async () => {
  await expect(reply(await connect({ heads: 0 }))).rejects.toThrow(
    /llama\.cpp cannot load .* \((SIG\w+|exit code \d+).*The file may be damaged/,
  )
  expect((await reply(await connect())).finish).toBe('length')
})

test('follows a JSON Schema', async () => {
  const schema = { type: 'object', properties: { city: { enum: ['Hanoi', 'Oslo'] } } } as const
  const { text } = await reply(await connect(), {
    responseFormat: { type: 'json', schema },
    maxTokens: 200,
  })
  expect(['Hanoi', 'Oslo']).toContain((JSON.parse(text) as { city: string }).city)
})
