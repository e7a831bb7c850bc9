import { expect, test } from 'vitest'
import { answer, delta, events, modelServer } from '../../../test/model-server.ts'
import { chunksOf, failureOf, textIn } from '../../../test/replies.ts'
import type { ModelRequest } from '../model.ts'
import { openAiCompatible, type OpenAiOptions } from './open-ai-compatible.ts'

const reply = events(delta({ content: 'Hi' }), delta({}, 'stop'), '[DONE]')
const ping = { name: 'ping' }

/** The body that a server receives for a request. */
async function bodyOf(
  more: Partial<ModelRequest>,
  options: Partial<OpenAiOptions> = {},
): Promise<Readonly<Record<string, unknown>>> {
  const { url, requests } = await modelServer(reply)
  const model = openAiCompatible({ url, model: 'm', ...options })
  expect(textIn(await chunksOf(model, more))).toBe('Hi')
  expect(requests).toHaveLength(1)
  return requests[0]!.body
}

const plain = {
  model: 'm',
  stream: true,
  stream_options: { include_usage: true },
  messages: [{ role: 'user', content: 'Hello' }],
}

test('a plain request has no additional fields', async () => {
  expect(await bodyOf({})).toEqual(plain)
  // OpenAI rejects a tool choice without tools.
  expect(await bodyOf({ toolChoice: 'none', prefill: '', tools: [] })).toEqual(plain)
})

test.each<[Partial<ModelRequest>, object]>([
  [
    { topP: 0.5, seed: 0 },
    { top_p: 0.5, seed: 0 },
  ],
  [{ tools: [ping], toolChoice: 'none' }, { tool_choice: 'none' }],
  [{ tools: [ping], toolChoice: 'required' }, { tool_choice: 'required' }],
  [
    { tools: [ping], toolChoice: { name: 'ping' } },
    { tool_choice: { type: 'function', function: { name: 'ping' } } },
  ],
  [{ responseFormat: { type: 'text' } }, { response_format: { type: 'text' } }],
  [{ responseFormat: { type: 'json' } }, { response_format: { type: 'json_object' } }],
  [
    { responseFormat: { type: 'json', schema: { type: 'object' }, name: 'city' } },
    {
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'city', schema: { type: 'object' } },
      },
    },
  ],
  [
    { responseFormat: { type: 'json', schema: { type: 'object' } } },
    { response_format: { type: 'json_schema', json_schema: { name: 'reply' } } },
  ],
])('%j is sent as %j', async (more, fields) => {
  expect(await bodyOf(more)).toMatchObject(fields)
})

test('the fields of a request replace those of the connection, but not those set by the request itself', async () => {
  const body = { top_k: 1, min_p: 0.1, temperature: 1, seed: 1 }
  const sent = await bodyOf({ body: { top_k: 2, seed: 2 }, temperature: 0 }, { body })
  expect(sent).toEqual({ ...plain, top_k: 2, min_p: 0.1, temperature: 0, seed: 2 })
})

test.each(['model', 'messages', 'stream', 'tools'])('`body` cannot contain %s', async (name) => {
  const { url, requests } = await modelServer(reply)
  const options = { url, model: 'm', body: { [name]: null } }
  const message = `\`body\` must not contain '${name}'`
  expect(() => openAiCompatible(options)).toThrow(message)
  const asked = chunksOf(openAiCompatible({ url, model: 'm' }), { body: { [name]: null } })
  await expect(asked).rejects.toThrow(message)
  await expect(asked).rejects.toThrow(TypeError)
  expect(requests).toEqual([])
})

test('sends images as parts, and parts without images as one string', async () => {
  const url = 'data:image/png;base64,iVBORw0KGgo='
  const sent = await bodyOf(
    {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image', url },
          ],
        },
        { role: 'assistant', content: 'A cat.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Sure?' },
            { type: 'text', text: 'Really?' },
          ],
        },
      ],
    },
    { images: true },
  )
  expect(sent['messages']).toEqual([
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is this?' },
        { type: 'image_url', image_url: { url } },
      ],
    },
    { role: 'assistant', content: 'A cat.' },
    { role: 'user', content: 'Sure?\n\nReally?' },
  ])
})

test('a prefill is sent as a last assistant message, with a flag for vLLM', async () => {
  const messages = [...plain.messages, { role: 'assistant', content: '{"a' }]
  expect(await bodyOf({ prefill: '{"a' }, { prefill: true })).toEqual({ ...plain, messages })
  expect(await bodyOf({ prefill: '{"a' }, { prefill: true, extensions: 'vllm' })).toEqual({
    ...plain,
    messages,
    add_generation_prompt: false,
    continue_final_message: true,
  })
})

test("a grammar is sent in the server's dialect", async () => {
  const text = 'root ::= "a"'
  const grammar = { syntax: 'gbnf', text } as const
  expect(await bodyOf({ grammar }, { grammars: ['gbnf'] })).toEqual({ ...plain, grammar: text })
  expect(await bodyOf({ grammar }, { grammars: ['gbnf'], extensions: 'vllm' })).toEqual({
    ...plain,
    structured_outputs: { grammar: text },
  })
})

test('rejects unsupported features without sending a request', async () => {
  const { url, requests } = await modelServer(reply)
  const model = openAiCompatible({ url, model: 'm', prefill: false })
  expect(model).not.toHaveProperty('images')
  const image = { type: 'image', url: 'https://example.com/a.png' } as const
  for (const more of [
    { prefill: 'a' },
    { grammar: { syntax: 'gbnf', text: 'a' } as const },
    { messages: [{ role: 'user', content: [image] } as const] },
  ]) {
    expect(await failureOf(model, more)).toMatchObject({ problem: 'refused', status: undefined })
  }
  expect(requests).toEqual([])
})

test('the model reports its abilities', () => {
  const facts = { images: true, prefill: true, grammars: ['gbnf'], laterSystem: true } as const
  expect(openAiCompatible({ url: 'http://a', model: 'm', ...facts })).toMatchObject(facts)
})

test.each([
  [{ error: { message: "Unsupported parameter: 'seed' is not supported with this model." } }],
  [{ object: 'error', message: 'Unsupported parameter: seed', code: 400 }],
  [{ detail: [{ loc: ['body', 'seed'], msg: 'Extra inputs are not permitted' }] }],
])('the message of a server that rejects a field is quoted: %j', async (body) => {
  const { url, requests } = await modelServer(answer(400, body))
  const error = await failureOf(openAiCompatible({ url, model: 'm' }), { seed: 1 })
  expect(error).toMatchObject({ problem: 'refused', status: 400, isTransient: false })
  expect(error.message).toMatch(
    /responded with 400: it rejects the request\. Server message: .*seed/,
  )
  expect(requests).toHaveLength(1)
})
