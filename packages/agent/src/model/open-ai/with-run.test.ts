import { expect, test } from 'vitest'
import { reader } from '../../../test/tools.ts'
import { answer, delta, eventOf, events, modelServer } from '../../../test/model-server.ts'
import { collect } from '../../run/run-result.ts'
import { run } from '../../run/run.ts'
import { openAiCompatible } from './open-ai-compatible.ts'

const answered = events(delta({ content: 'It is there.' }), delta({}, 'stop'), '[DONE]')

test('a run with a real server: a call in text, its result, an answer', async () => {
  const text = '<tool_call>\n{"name": "look", "arguments": {"key": "a"}}\n</tool_call>'
  const { url, requests } = await modelServer(
    events(...text.split('').map((content) => delta({ content })), delta({}, 'stop'), '[DONE]'),
    answered,
  )
  const model = openAiCompatible({ url, model: 'qwen3:8b' })
  const result = await collect(run({ model, tools: [reader()], prompt: 'What is a?' }))
  expect(result).toMatchObject({ reason: 'answer', text: 'It is there.' })
  expect(requests[0]?.body).not.toHaveProperty('tools')
  expect(requests[1]?.body['messages']).toMatchObject([
    { role: 'system' },
    { role: 'user', content: 'What is a?' },
    { role: 'assistant', content: text },
    { role: 'user', content: '<tool_response>\nvalue of a\n</tool_response>' },
  ])
})

test('the same run with native function calling', async () => {
  const made = { index: 0, id: 'x', function: { name: 'look', arguments: '{"key": ' } }
  const rest = { index: 0, function: { arguments: '"a"}' } }
  const { url, requests } = await modelServer(
    events(
      delta({ tool_calls: [made] }),
      delta({ tool_calls: [rest] }),
      delta({}, 'tool_calls'),
      '[DONE]',
    ),
    answered,
  )
  const model = openAiCompatible({ url, model: 'any', native: true })
  const result = await collect(run({ model, tools: [reader()], prompt: 'What is a?' }))
  expect(result).toMatchObject({ reason: 'answer', text: 'It is there.' })
  expect(requests[0]?.body['tools']).toMatchObject([
    { type: 'function', function: { name: 'look' } },
  ])
  const [, call, toolMessage] = requests[1]!.body['messages'] as Record<string, unknown>[]
  const { id } = (call!['tool_calls'] as { id: string }[])[0]!
  expect(toolMessage).toMatchObject({ role: 'tool', tool_call_id: id, content: 'value of a' })
})

test('with a server that is busy, then fails midway, nothing runs twice', async () => {
  const look = reader()
  const { url, requests } = await modelServer(
    answer(429, {}, { 'retry-after-ms': '1' }),
    (response, _request, socket) => {
      const half = '<tool_call>\n{"name": "look", "arguments": {"key": "a"'
      response.write(eventOf(delta({ content: half })), () => socket.resetAndDestroy())
    },
    answered,
  )
  const model = openAiCompatible({ url, model: 'qwen3:8b' })
  const result = await collect(run({ model, tools: [look], prompt: 'What is a?' }))
  expect(result).toMatchObject({ reason: 'answer', text: 'It is there.', calls: [] })
  expect(requests).toHaveLength(3)
})

test('accepts a server that keeps the connection open after its reply', async () => {
  const server = await modelServer((response) => {
    for (const data of [delta({ content: 'Hi' }), delta({}, 'stop'), '[DONE]'])
      response.write(eventOf(data))
  })
  const model = openAiCompatible({ url: server.url, model: 'any' })
  const result = await collect(run({ model, prompt: 'Hello' }))
  expect(result).toMatchObject({ reason: 'answer', text: 'Hi' })
  await server.closed()
})
