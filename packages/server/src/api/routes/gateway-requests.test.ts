import { ModelError } from '@toolglot/agent'
import { scriptedModel, type ScriptedReply } from '@toolglot/agent/testing'
import { createClient } from '../../client/index.ts'
import { expect, test } from 'vitest'
import { apiClient } from '../../../test/api-client.ts'
import { apiServer } from '../../../test/api-server.ts'
import { followGatewayRequests, listGatewayRequests } from './gateway-requests.ts'
import { share } from '../../../../../tests/helpers/size.ts'

test('a gateway token cannot see requests with other tokens', async () => {
  const { call, problem } = await apiClient()
  expect(await call(listGatewayRequests)).toMatchObject({ all: true, requests: [] })
  for (const endpoint of [listGatewayRequests, followGatewayRequests]) {
    expect(await problem(endpoint, { token: 'gateway' })).toMatchObject({
      code: 'scope_insufficient',
    })
  }
})

test('shows each request live, without any content', async () => {
  const reply = 'hidden reply <tool_call>{"name":"look","arguments":{"at":"hidden",}}</tool_call>'
  const api = await apiServer({
    options: {
      models: {
        list: () => Promise.resolve([]),
        find: (name) =>
          Promise.resolve(
            name === 'default' ? { model: scriptedModel([reply]), protocol: 'hermes' } : undefined,
          ),
      },
      limits: { gatewayBodySize: 10_000 },
    },
  })
  const ask = (model: string, prompt = 'hidden prompt'): Promise<Response> =>
    api.post('/v1/chat/completions', {
      model,
      messages: [{ role: 'user', content: prompt }],
      tools: [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }],
      logprobs: true,
    })
  const client = createClient({ url: api.server.url, token: api.token })
  const stop = new AbortController()
  const followed = client.gatewayRequests({ signal: stop.signal })
  expect((await followed.next()).value).toMatchObject({ all: true, requests: [] })
  const later = followed.next()
  expect((await ask('default')).status).toBe(200)
  expect((await later).value).toMatchObject({ all: false, requests: [{ token: 'main' }] })
  expect((await ask('none')).status).toBe(404)
  // The server refuses this request before it reaches the gateway.
  expect((await ask('default', 'x'.repeat(20_000))).status).toBe(413)
  await followed.return()
  const text = await (await api.ask('/api/gateway/requests')).text()
  expect(text).not.toContain('hidden')
  expect(JSON.parse(text)).toMatchObject({
    requests: [
      { outcome: 'error', error: 'body_too_large' },
      { outcome: 'error', error: 'model_not_found', requestedModel: 'none', tools: 1 },
      {
        api: 'chat-completions',
        outcome: 'calls',
        requestedModel: 'default',
        protocol: 'hermes',
        stream: false,
        tools: 1,
        callNames: ['look'],
        repairs: [{ name: 'trailing-comma', count: 1 }],
        notes: ['dropped:logprobs'],
      },
    ],
    today: { requests: 3, calls: 1, repairs: 1, errors: 2 },
  })
  expect(api.errors).toEqual([])
})

const WRITTEN = 'my doctor says hidden'
const strictTool = {
  type: 'function',
  function: {
    name: 'look',
    strict: true,
    parameters: { type: 'object', properties: { at: { enum: ['here'] } } },
  },
}

const quotes: [
  what: string,
  replies: readonly ScriptedReply[],
  body: object,
  error: string,
  message: string,
][] = [
  [
    'the server of the model',
    [new ModelError('refused', `Invalid content: ${WRITTEN}`, { status: 400 })],
    {},
    'upstream_refused',
    'The server of the model rejected the request.',
  ],
  [
    'the model itself',
    [new ModelError('refused', `No images: ${WRITTEN}`)],
    {},
    'unsupported',
    'The model does not support this request.',
  ],
  [
    'any other error',
    [new Error(WRITTEN)],
    {},
    'upstream_unavailable',
    'The server of the model is overloaded or broken.',
  ],
  [
    'an invalid parameter',
    [],
    { temperature: WRITTEN },
    'invalid_request',
    'temperature must be a number from 0 to 2.',
  ],
  [
    'an invalid role',
    [],
    { messages: [{ role: WRITTEN, content: WRITTEN }] },
    'invalid_request',
    'messages[0].role must be system or developer or user or assistant or tool.',
  ],
  [
    'the name of a tool',
    [],
    { tools: [{ type: 'function', function: { name: WRITTEN } }] },
    'invalid_request',
    'tools[0].function.name must be a valid name.',
  ],
  [
    'a schema',
    [],
    { tools: [{ type: 'function', function: { name: 'a', parameters: { type: WRITTEN } } }] },
    'invalid_schema',
    'tools[0].function.parameters must be a JSON Schema.',
  ],
  [
    'arguments',
    Array.from(
      { length: 2 },
      () => `<tool_call>{"name":"look","arguments":{"at":"${WRITTEN}"}}</tool_call>`,
    ),
    { tools: [strictTool] },
    'invalid_arguments',
    'The arguments of a call do not match the schema of its tool.',
  ],
  [
    'a call that was not asked for',
    Array.from({ length: 2 }, () => `<tool_call>{"name":"${WRITTEN}","arguments":{}}</tool_call>`),
    { tools: [strictTool], tool_choice: 'required' },
    'tool_choice_unmet',
    'The model did not call a tool, but that is required.',
  ],
]

test.each(share(quotes, 3))(
  'removes quotes from an error: %s',
  async (_, replies, body, error, message) => {
    const model = scriptedModel(replies)
    const api = await apiServer({
      options: {
        models: {
          list: () => Promise.resolve([]),
          find: () => Promise.resolve({ model, protocol: 'hermes' }),
        },
      },
    })
    const messages = [{ role: 'user', content: WRITTEN }]
    const { ok } = await api.post('/v1/chat/completions', { model: 'any', messages, ...body })
    expect(ok).toBe(false)
    const text = await (await api.ask('/api/gateway/requests')).text()
    expect(JSON.parse(text)).toMatchObject({ requests: [{ outcome: 'error', error, message }] })
    expect(text).not.toContain('hidden')
  },
)
