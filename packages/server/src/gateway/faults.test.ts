import { freePort } from '../../../../tests/helpers/free-ports.ts'
import { openAiCompatible } from '@toolglot/agent/models'
import { afterAll, describe, expect, test } from 'vitest'
import { checkChatStream } from '../../test/check-chat-stream.ts'
import type { CheckedStream } from '../../test/checked-stream.ts'
import { conversationTools, openingText } from '../../test/conversation.ts'
import { type GatewayClient, gatewayWith } from '../../test/gateway-client.ts'
import { type Behaviour, startUpstream, type Upstream } from '../../test/upstream.ts'
import type { GatewayOptions } from './gateway.ts'
import { longTest } from '../../../../tests/helpers/size.ts'

const key = 'sk-upstream-0123456789abcdef'
const tools = conversationTools.map((each) => ({ type: 'function', function: each }))
const asked = { model: 'fake', messages: [{ role: 'user', content: 'What do my notes say?' }] }

describe('an invalid request', () => {
  const client = gatewayWith({
    model: openAiCompatible({ url: 'http://127.0.0.1:9', model: 'never asked', key }),
  })
  const deep = `{"a":${'['.repeat(70)}${']'.repeat(70)}}`
  const image = { type: 'input_audio', input_audio: { data: '', format: 'wav' } }
  const tool = (definition: object): object => ({ type: 'function', function: definition })

  test.each<[code: string, status: number, parameter: string | null, body: unknown]>([
    ['invalid_json', 400, null, '{"model": "fake", '],
    ['invalid_json', 400, null, ''],
    ['invalid_json', 400, null, '[]'],
    ['invalid_json', 400, null, 'null'],
    ['too_deep', 400, null, deep],
    ['invalid_request', 400, 'model', { messages: asked.messages }],
    ['invalid_request', 400, 'model', { ...asked, model: 5 }],
    ['model_not_found', 404, 'model', { ...asked, model: 'missing' }],
    ['invalid_request', 400, 'messages', { model: 'fake' }],
    ['invalid_request', 400, 'messages', { ...asked, messages: 'Hello' }],
    ['invalid_request', 400, 'messages', { ...asked, messages: [] }],
    ['invalid_request', 400, 'messages[0]', { ...asked, messages: [null] }],
    [
      'invalid_request',
      400,
      'messages[0].role',
      { ...asked, messages: [{ role: 'alien', content: 'x' }] },
    ],
    [
      'invalid_request',
      400,
      'messages[0].content',
      { ...asked, messages: [{ role: 'user', content: 5 }] },
    ],
    [
      'unsupported',
      400,
      'messages[0].content[0].type',
      { ...asked, messages: [{ role: 'user', content: [image] }] },
    ],
    [
      'invalid_request',
      400,
      'messages[1].tool_call_id',
      { ...asked, messages: [...asked.messages, { role: 'tool', content: 'x' }] },
    ],
    [
      'invalid_request',
      400,
      'messages[0].tool_calls[0].function',
      { ...asked, messages: [{ role: 'assistant', tool_calls: [{ id: 'a' }] }] },
    ],
    ['invalid_request', 400, 'temperature', { ...asked, temperature: 'hot' }],
    ['invalid_request', 400, 'temperature', { ...asked, temperature: 1e9 }],
    ['invalid_request', 400, 'max_tokens', { ...asked, max_tokens: -1 }],
    ['invalid_request', 400, 'stream', { ...asked, stream: 'yes' }],
    ['invalid_request', 400, 'stop[0]', { ...asked, stop: [5] }],
    ['invalid_request', 400, 'stop[1]', { ...asked, stop: ['a', ''] }],
    ['invalid_request', 400, 'stop[0]', { ...asked, stop: 'a'.repeat(1001) }],
    ['unsupported', 400, 'n', { ...asked, n: 2 }],
    ['unsupported', 400, 'functions', { ...asked, functions: [] }],
    ['invalid_request', 400, 'tools', { ...asked, tools: 'search' }],
    ['invalid_request', 400, 'tools[0]', { ...asked, tools: [5] }],
    ['invalid_request', 400, 'tools[0].type', { ...asked, tools: [{ type: 'alien' }] }],
    ['unsupported', 400, 'tools[0].type', { ...asked, tools: [{ type: 'local_shell' }] }],
    [
      'invalid_request',
      400,
      'tools[0].function.parameters',
      { ...asked, tools: [tool({ name: 'a', parameters: 'none' })] },
    ],
    [
      'invalid_schema',
      400,
      'tools[1].function.parameters',
      { ...asked, tools: [tool({ name: 'a' }), tool({ name: 'b', parameters: { type: 'text' } })] },
    ],
    [
      'invalid_schema',
      400,
      'tools[0].function.parameters',
      {
        ...asked,
        tools: [tool({ name: 'a', parameters: { type: 'object', properties: { x: 5 } } })],
      },
    ],
    ['invalid_request', 400, 'tool_choice', { ...asked, tools, tool_choice: 'sometimes' }],
    [
      'invalid_request',
      400,
      'tool_choice',
      { ...asked, tools, tool_choice: { type: 'function', function: { name: 'missing' } } },
    ],
  ])('%s %i: %s', async (code, status, parameter, body) => {
    const response = await client.chat(body)
    expect(await errorOf(response)).toMatchObject({ code, param: parameter })
    expect(response.status).toBe(status)
  })

  test('several tools with the same name', async () => {
    const body = { ...asked, tools: [tool({ name: 'a' }), tool({ name: 'a' })] }
    const response = await client.chat(body)
    expect(response.status).toBe(400)
    expect(await errorOf(response)).toMatchObject({ code: 'invalid_request' })
  })

  test('another content type', async () => {
    const headers = { 'content-type': 'text/plain' }
    const response = await client.chat(asked, { headers })
    expect(response.status).toBe(415)
    expect(await errorOf(response)).toMatchObject({ code: 'unsupported_media_type' })
  })

  test('a body that is too large', async () => {
    const small = gatewayWith(
      { model: openAiCompatible({ url: 'http://127.0.0.1:9', model: 'never asked' }) },
      { maxBody: 1000 },
    )
    const response = await small.chat({ ...asked, user: 'x'.repeat(1000) })
    expect(response.status).toBe(413)
    expect(await errorOf(response)).toMatchObject({ code: 'body_too_large' })
    expect(small.reports).toMatchObject([{ outcome: 'error', error: 'body_too_large' }])
  })
})

describe.concurrent.each([
  ['streaming', true],
  ['not streaming', false],
])('an upstream that fails, %s', (_, stream) => {
  test('no server is listening', async () => {
    const model = openAiCompatible({ url: `http://127.0.0.1:${await freePort()}`, model: 'm' })
    const { status, error } = await ask(gatewayWith({ model, protocol: 'hermes' }), stream)
    expect(status).toBe(502)
    expect(error).toMatchObject({ code: 'upstream_unreachable', type: 'server_error' })
  })

  test.each([
    [401, 502, 'upstream_refused'],
    [404, 502, 'upstream_refused'],
    [413, 400, 'context_length_exceeded'],
    [429, 429, 'upstream_rate_limited'],
    [500, 503, 'upstream_unavailable'],
  ])('%i', async (status, sent, code) => {
    const { client } = await gatewayTo({ status })
    const answer = await ask(client, stream)
    expect(answer).toMatchObject({ status: sent, error: { code } })
    expect(client.reports).toMatchObject([{ outcome: 'error', error: code, calls: 0 }])
  })

  test.each<[NonNullable<Behaviour['fault']>, code: string]>([
    ['html', 'upstream_invalid'],
    ['broken-json', 'upstream_invalid'],
    ['error-event', 'upstream_unavailable'],
    ['hang-up', 'upstream_cut_off'],
    ['no-done', 'upstream_cut_off'],
    ['no-finish', 'upstream_cut_off'],
  ])('%s', async (fault, code) => {
    const { client } = await gatewayTo({ fault, chunkSize: 8 })
    const answer = await ask(client, stream)
    expect(answer.error).toMatchObject({ code })
    expect(answer.finish).toBeUndefined()
    expect(client.reports).toMatchObject([{ outcome: 'error', error: code }])
  })

  test('cuts off an endless reply', async () => {
    const { client, upstream } = await gatewayTo({ fault: 'endless' })
    expect(await ask(client, stream)).toMatchObject({ status: 200, finish: 'length' })
    await upstream.abandoned(1)
    expect(client.reports).toMatchObject([{ outcome: 'cut_off' }])
  })

  // The reply is longer than the gateway's maximum; a shorter one would not be cut off.
  longTest('truncates 10 MB of call openings', async () => {
    const reply = '<tool_call>\n'.repeat(10e6 / 12)
    const { client, upstream } = await gatewayTo({ reply, chunkSize: 4096 })
    expect(await ask(client, stream)).toMatchObject({ status: 200, finish: 'length', calls: [] })
    await upstream.abandoned(1)
  })

  test.each(['text', 'native'] as const)('a call that is cut off: %s', async (calling) => {
    const { client, upstream } = await gatewayTo({ fault: 'cut', calling, chunkSize: 8 })
    const answer = await ask(client, stream)
    expect(answer).toMatchObject({ status: 200, finish: 'length', calls: [] })
    expect(answer.text).toContain(openingText)
    expect(upstream.requests).toHaveLength(1)
    expect(client.reports).toMatchObject([{ outcome: 'cut_off', calls: 0 }])
  })

  test('a call that is malformed twice is text', async () => {
    const reply = '<tool_call>\nsearch for it\n</tool_call>'
    const { client, upstream } = await gatewayTo({ reply })
    const answer = await ask(client, stream)
    expect(answer).toMatchObject({ status: 200, finish: 'stop', calls: [] })
    expect(upstream.requests).toHaveLength(2)
    expect(client.reports).toMatchObject([{ retries: 1, calls: 0 }])
  })

  test.each([['required'], [{ type: 'function', function: { name: 'add_note' } }]])(
    'a missing required call: %j',
    async (choice) => {
      const { client, upstream } = await gatewayTo({ fault: 'no-call' })
      const answer = await ask(client, stream, { tool_choice: choice })
      expect(answer.error).toMatchObject({ code: 'tool_choice_unmet' })
      expect(answer.text).toBe('')
      expect(upstream.requests).toHaveLength(2)
    },
  )

  test('sends only the required call', async () => {
    const { client, upstream } = await gatewayTo({})
    const choice = { type: 'function', function: { name: 'add_note' } }
    const { calls, finish } = await ask(client, stream, { tool_choice: choice })
    // The fake model first calls the other tool, then both.
    expect(upstream.requests).toHaveLength(2)
    expect(calls.map(({ name }) => name)).toEqual(['add_note'])
    expect(finish).toBe('tool_calls')
  })
})

describe('streamed arguments', () => {
  const options = { streamArguments: true }

  test('end with an error if the call is cut off', async () => {
    const { client } = await gatewayTo({ fault: 'cut', chunkSize: 4 }, options)
    const { error, finish, calls } = await ask(client, true)
    expect(error).toMatchObject({ code: 'broken_call' })
    expect(finish).toBeUndefined()
    expect(calls).toHaveLength(1)
  })

  test('end with an error if the connection breaks in the middle of a call', async () => {
    const { client } = await gatewayTo({ fault: 'hang-up', chunkSize: 4 }, options)
    const { error, finish } = await ask(client, true)
    expect(error).toMatchObject({ code: 'upstream_cut_off' })
    expect(finish).toBeUndefined()
  })
})

describe('a client that disconnects', () => {
  test('while it reads a stream', async () => {
    const { client, upstream } = await gatewayTo({ fault: 'endless' })
    const response = await client.chat({ ...asked, stream: true })
    const reader = response.body!.getReader()
    await reader.read()
    await reader.cancel()
    await upstream.abandoned(1)
    await expect.poll(() => client.reports).toMatchObject([{ outcome: 'aborted' }])
  })

  test.each([true, false])('before the first byte (streaming: %s)', async (stream) => {
    const { client, upstream } = await gatewayTo({ fault: 'silent' })
    const gone = new AbortController()
    const response = client.chat({ ...asked, stream }, { signal: gone.signal })
    await upstream.arrived(1)
    gone.abort()
    await upstream.abandoned(1)
    await response
    await expect.poll(() => client.reports).toMatchObject([{ outcome: 'aborted' }])
    expect(upstream.requests).toHaveLength(1)
  })

  test('during an answer that is not streamed', async () => {
    const { client, upstream } = await gatewayTo({ chunkSize: 1, delay: 20 })
    const gone = new AbortController()
    const response = client.chat(asked, { signal: gone.signal })
    await upstream.arrived(1)
    gone.abort()
    await upstream.abandoned(1)
    await response
    expect(client.reports).toMatchObject([{ outcome: 'aborted' }])
  })
})

const started: Upstream[] = []
afterAll(() => Promise.all(started.map((upstream) => upstream.close())))

async function gatewayTo(
  behaviour: Behaviour,
  options: Omit<GatewayOptions, 'models'> = {},
): Promise<{ client: GatewayClient; upstream: Upstream }> {
  const upstream = await startUpstream(behaviour)
  started.push(upstream)
  const native = behaviour.calling === 'native'
  const model = openAiCompatible({ url: upstream.url, model: 'fake', key, native })
  return {
    upstream,
    client: gatewayWith(native ? { model } : { model, protocol: 'hermes' }, options),
  }
}

interface Answer extends Pick<CheckedStream, 'text' | 'calls' | 'finish' | 'error'> {
  readonly status: number
}

/** Sends a request with tools, and checks the order of events and that nothing is leaked. */
async function ask(client: GatewayClient, stream: boolean, more: object = {}): Promise<Answer> {
  const usage = { include_usage: true }
  const body = { ...asked, tools, stream, ...(stream && { stream_options: usage }), ...more }
  const response = await client.chat(body)
  const { status } = response
  if (status !== 200) return { status, error: await errorOf(response), ...nothing }
  const text = await response.text()
  expectNothingLeaked(text)
  if (stream) {
    const checked = checkChatStream(text, { usage: true })
    expect(checked.problems).toEqual([])
    return { ...checked, status }
  }
  const { choices } = JSON.parse(text) as { choices: [WholeChoice] }
  const [{ message, finish_reason: finish }] = choices
  const calls = (message.tool_calls ?? []).map(({ id, function: called }) => ({ id, ...called }))
  return { status, text: message.content ?? '', calls, finish, error: undefined }
}

const nothing = { text: '', calls: [], finish: undefined }

interface WholeChoice {
  readonly finish_reason: string
  readonly message: {
    readonly content: string | null
    readonly tool_calls?: readonly {
      readonly id: string
      readonly function: { readonly name: string; readonly arguments: string }
    }[]
  }
}

/** The error in a response, in OpenAI's format. */
async function errorOf(response: Response): Promise<Record<string, unknown>> {
  const text = await response.text()
  expectNothingLeaked(text)
  const { error } = JSON.parse(text) as { error: Record<string, unknown> }
  expect(JSON.parse(text)).toEqual({
    error: {
      message: expect.stringMatching(/\S/),
      type: expect.stringMatching(/_error$/),
      param: error['param'],
      code: expect.stringMatching(/^[a-z_]+$/),
    },
  })
  return error
}

/** Checks that there is no key, no server address or path, and no stack. */
function expectNothingLeaked(text: string): void {
  for (const secret of [key, '/srv/secret', '127.0.0.1', 'node_modules', '.ts:', '    at ']) {
    expect(text).not.toContain(secret)
  }
}
