import { expect, test } from 'vitest'
import { reader } from '../../test/tools.ts'
import { answer, delta, eventOf, events, modelServer } from '../../test/model-server.ts'
import { collectRun } from '../run/collect-run.ts'
import { run } from '../run/run.ts'
import { openAiCompatible } from './open-ai-compatible.ts'

const answered = events(delta({ content: 'It is there.' }), delta({}, 'stop'), '[DONE]')

test('a run over a real server: a call in the text, its result, an answer', async () => {
  const text = '<tool_call>\n{"name": "look", "arguments": {"key": "a"}}\n</tool_call>'
  const { url, asked } = await modelServer(
    events(...text.split('').map((content) => delta({ content })), delta({}, 'stop'), '[DONE]'),
    answered,
  )
  const model = openAiCompatible({ url, model: 'qwen3:8b' })
  const result = await collectRun(run({ model, tools: [reader()], prompt: 'What is a?' }))
  expect(result).toMatchObject({ reason: 'answer', text: 'It is there.' })
  expect(asked[0]?.body).not.toHaveProperty('tools')
  expect(asked[1]?.body['messages']).toMatchObject([
    { role: 'system' },
    { role: 'user', content: 'What is a?' },
    { role: 'assistant', content: text },
    { role: 'user', content: '<tool_response>\nvalue of a\n</tool_response>' },
  ])
})

test('the same by function calling of its own', async () => {
  const made = { index: 0, id: 'x', function: { name: 'look', arguments: '{"key": ' } }
  const rest = { index: 0, function: { arguments: '"a"}' } }
  const { url, asked } = await modelServer(
    events(
      delta({ tool_calls: [made] }),
      delta({ tool_calls: [rest] }),
      delta({}, 'tool_calls'),
      '[DONE]',
    ),
    answered,
  )
  const model = openAiCompatible({ url, model: 'any', native: true })
  const result = await collectRun(run({ model, tools: [reader()], prompt: 'What is a?' }))
  expect(result).toMatchObject({ reason: 'answer', text: 'It is there.' })
  expect(asked[0]?.body['tools']).toMatchObject([{ type: 'function', function: { name: 'look' } }])
  const [, call, told] = asked[1]!.body['messages'] as Record<string, unknown>[]
  const { id } = (call!['tool_calls'] as { id: string }[])[0]!
  expect(told).toMatchObject({ role: 'tool', tool_call_id: id, content: 'value of a' })
})

test('a server that is busy, breaks off and then answers: nothing is run twice', async () => {
  const look = reader()
  const { url, asked } = await modelServer(
    answer(429, {}, { 'retry-after-ms': '1' }),
    (response, _asked, socket) => {
      const half = '<tool_call>\n{"name": "look", "arguments": {"key": "a"'
      response.write(eventOf(delta({ content: half })), () => socket.resetAndDestroy())
    },
    answered,
  )
  const model = openAiCompatible({ url, model: 'qwen3:8b' })
  const result = await collectRun(run({ model, tools: [look], prompt: 'What is a?' }))
  expect(result).toMatchObject({ reason: 'answer', text: 'It is there.', calls: [] })
  expect(asked).toHaveLength(3)
})
