import { expect, test } from 'vitest'
import { textOf } from './chat-message.ts'
import { chunksOf, failureOf, textIn } from '../../test/replies.ts'
import { ModelError } from './model-error.ts'
import { scriptedModel } from './scripted-model.ts'

test('replies from its script under a recognizable name', async () => {
  const model = scriptedModel(
    [
      'Xin chào',
      [{ type: 'text', delta: 'cut' }],
      ({ messages }) => `You said ${textOf(messages.at(-1)!.content)}`,
      new ModelError('rate_limited', 'slow down', { retryAfter: 5 }),
    ],
    { chunkSize: 3, name: 'hermes' },
  )
  expect(model).toMatchObject({ name: 'script hermes', provider: 'script' })
  expect(await chunksOf(model)).toEqual([
    { type: 'text', delta: 'Xin' },
    { type: 'text', delta: ' ch' },
    { type: 'text', delta: 'ào' },
    { type: 'usage', usage: { input: 2, output: 2, estimated: true } },
    { type: 'finish', finish: 'stop' },
  ])
  expect(await chunksOf(model)).toEqual([{ type: 'text', delta: 'cut' }])
  expect(textIn(await chunksOf(model))).toBe('You said Hello')
  expect(await failureOf(model)).toMatchObject({ problem: 'rate_limited', retryAfter: 5 })
  await expect(chunksOf(model)).rejects.toThrow(
    'the script has 4 replies, but reply 5 was requested',
  )
  expect(model.requests).toHaveLength(5)
})

test('can be aborted', async () => {
  const reason = new Error('stopped')
  const controller = new AbortController()
  const model = scriptedModel(['abc'], { chunkSize: 1 })
  const read = async (): Promise<void> => {
    for await (const _ of model.reply({ messages: [], signal: controller.signal }))
      controller.abort(reason)
  }
  await expect(read()).rejects.toBe(reason)
})

test('accepts an empty reply, and rejects an invalid chunk size', async () => {
  expect((await chunksOf(scriptedModel(['']))).map(({ type }) => type)).toEqual(['usage', 'finish'])
  expect(() => scriptedModel([], { chunkSize: 0 })).toThrow('at least 1, not 0.')
})

test('can have abilities, and continues a prefill', async () => {
  const facts = { images: true, prefill: true, grammars: ['gbnf'], laterSystem: true } as const
  const model = scriptedModel(['Hello world', 'world'], { ...facts, native: false })
  expect(model).toMatchObject(facts)
  // Text that starts with the prefill is the whole reply. Any other text continues it.
  for (const _ of [1, 2]) {
    const chunks = await chunksOf(model, { prefill: 'Hello ' })
    expect(textIn(chunks)).toBe('world')
    expect(chunks[1]).toMatchObject({ usage: { output: 2 } })
  }
  expect(model.requests).toMatchObject([{ prefill: 'Hello ' }, { prefill: 'Hello ' }])
})

test('rejects requests beyond its abilities without using a reply of the script', async () => {
  const model = scriptedModel(['one'], { name: 'small' })
  const url = 'data:image/png;base64,iVBORw0KGgo='
  const image = { role: 'user', content: [{ type: 'image', url }] } as const
  expect(await failureOf(model, { messages: [image] })).toMatchObject({
    problem: 'refused',
    message: expect.stringContaining('script small does not accept images') as string,
  })
  expect(await failureOf(model, { prefill: 'a' })).toMatchObject({ problem: 'refused' })
  expect(textIn(await chunksOf(model))).toBe('one')
  expect(model.requests).toHaveLength(1)
})

test('its usage counts the text of a message with images', async () => {
  const url = `data:image/png;base64,${'A'.repeat(1000)}`
  const content = [
    { type: 'text', text: 'Hello' },
    { type: 'image', url },
  ] as const
  const model = scriptedModel(['one'], { images: true })
  const chunks = await chunksOf(model, { messages: [{ role: 'user', content }] })
  expect(chunks[1]).toMatchObject({ usage: { input: 2 } })
})
