import { expect, test } from 'vitest'
import { delta, events, modelServer } from '../../../test/model-server.ts'
import { chunksOf, failureOf } from '../../../test/replies.ts'
import type { Model, ModelChunk } from '../model.ts'
import { openAiCompatible } from './open-ai-compatible.ts'

const weather = {
  name: 'get_weather',
  description: 'The weather',
  parameters: { type: 'object', properties: { city: { type: 'string' } } },
} as const

type Delta = { index?: unknown; id?: string; function?: { name?: string; arguments?: unknown } }

async function modelOf(...deltas: readonly Delta[][]): Promise<Model> {
  const { url } = await modelServer(
    events(...deltas.map((tool_calls) => delta({ tool_calls })), delta({}, 'tool_calls'), '[DONE]'),
  )
  return openAiCompatible({ url, model: 'm', native: true })
}

const calls = (chunks: readonly ModelChunk[]): object[] =>
  chunks.flatMap((chunk) => {
    const { type, ...rest } = chunk
    return type === 'call' ? [rest] : []
  })

const one: Delta = { index: 0, id: 'a', function: { name: 'get_weather', arguments: '' } }
const args = (text: string, index: unknown = 0): Delta => ({
  index,
  function: { arguments: text },
})

test('tools, calls and results are sent in the OpenAI format', async () => {
  const { url, requests } = await modelServer(events(delta({}, 'stop'), '[DONE]'))
  const model = openAiCompatible({ url, model: 'm', native: true })
  expect(model).toMatchObject({ native: true, roles: ['system', 'tool'] })
  await chunksOf(model, {
    tools: [weather, { name: 'ping' }],
    messages: [
      { role: 'system', content: 'Be brief.' },
      {
        role: 'assistant',
        content: '',
        calls: [{ id: 'a', name: 'get_weather', args: { city: 'Hà Nội' } }],
      },
      { role: 'tool', call: 'a', content: '31°' },
    ],
  })
  expect(requests[0]?.body).toMatchObject({
    tools: [
      { type: 'function', function: weather },
      { type: 'function', function: { name: 'ping', parameters: { type: 'object' } } },
    ],
    messages: [
      { role: 'system', content: 'Be brief.' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'a',
            type: 'function',
            function: { name: 'get_weather', arguments: '{"city":"Hà Nội"}' },
          },
        ],
      },
      { role: 'tool', tool_call_id: 'a', content: '31°' },
    ],
  })
})

test('calls are assembled by index', async () => {
  const two: Delta = { index: 1, id: 'b', function: { name: 'ping', arguments: '{}' } }
  const chunks = await chunksOf(await modelOf([one], [args('{"ci')], [args('ty": 1}'), two]))
  expect(calls(chunks)).toEqual([
    { index: 0, id: 'a', name: 'get_weather' },
    { index: 0, delta: '{"ci' },
    { index: 0, delta: 'ty": 1}' },
    { index: 1, id: 'b', name: 'ping', delta: '{}' },
  ])
  expect(chunks.at(-1)).toEqual({ type: 'finish', finish: 'stop' })
})

test('repeated calls are skipped', async () => {
  const whole: Delta = { index: 0, id: 'a', function: { name: 'ping', arguments: '{"n": 1}' } }
  expect(calls(await chunksOf(await modelOf([whole], [whole])))).toEqual([
    { index: 0, id: 'a', name: 'ping', delta: '{"n": 1}' },
  ])
  expect(calls(await chunksOf(await modelOf([one], [one], [args('{}')])))).toEqual([
    { index: 0, id: 'a', name: 'get_weather' },
    { index: 0, delta: '{}' },
  ])
})

test('events with the id of the previous event are skipped', async () => {
  const body = [delta({ content: 'ha' }), delta({ content: 'ha' }), delta({}, 'stop')]
    .map((data, index) => `id: ${index}\ndata: ${JSON.stringify(data)}\n\n`.repeat(2))
    .join('')
  const { url } = await modelServer((response) => response.end(`${body}data: [DONE]\n\n`))
  const chunks = await chunksOf(openAiCompatible({ url, model: 'm' }))
  expect(chunks.filter(({ type }) => type === 'text')).toEqual([{ type: 'text', delta: 'haha' }])
})

test('reads calls without an index and arguments sent as an object', async () => {
  const chunks = await chunksOf(
    await modelOf(
      [{ id: 'a', function: { name: 'ping', arguments: { n: 1 } } }],
      [{ id: 'b', function: { name: 'ping' } }],
      [{ function: { arguments: '{}' } }],
    ),
  )
  expect(calls(chunks)).toEqual([
    { index: 0, id: 'a', name: 'ping', delta: '{"n":1}' },
    { index: 1, id: 'b', name: 'ping' },
    { index: 1, delta: '{}' },
  ])
})

test.each<[string, readonly Delta[][]]>([
  ['call 1 came instead of call 0', [[args('{}', 1)]]],
  ['call 2 came instead of call 1', [[one], [{ ...one, index: 2 }]]],
  ['call 0 has two ids', [[one], [{ ...one, id: 'b' }]]],
  ['call 0 has two names', [[one], [{ index: 0, id: 'a', function: { name: 'ping' } }]]],
  ['call 0 starts without a name', [[args('{}')]]],
  [
    'call 0 continues after the next call started',
    [[one], [{ index: 1, id: 'b', function: { name: 'ping' } }], [args('{}')]],
  ],
  [
    'more than 1000 calls',
    [Array.from({ length: 1001 }, (_, index) => ({ ...one, index, id: `${index}` }))],
  ],
  ['a call has an invalid index', [[{ ...one, index: '0' }]]],
])('%s: an error', async (message, deltas) => {
  const error = await failureOf(await modelOf(...deltas))
  expect(error).toMatchObject({ problem: 'garbled', isTransient: true })
  expect(error.message).toContain(message)
})

test('arguments sent as an object with a duplicate key are rejected', async () => {
  const twice = '{"n":1,"n":2}'
  const event = JSON.stringify(
    delta({ tool_calls: [{ index: 0, id: 'a', function: { name: 'ping', arguments: 'ARGS' } }] }),
  ).replace('"ARGS"', twice)
  const { url } = await modelServer(events(event, delta({}, 'tool_calls'), '[DONE]'))
  const failure = await failureOf(openAiCompatible({ url, model: 'm', native: true }))
  expect(failure).toMatchObject({
    message: expect.stringContaining('The key "n" appears twice') as string,
  })
})
