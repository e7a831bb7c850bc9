import type { Model } from '@toolglot/agent'
import { openAiCompatible } from '@toolglot/agent/models'
import { scriptedModel } from '@toolglot/agent/testing'
import { type Finish, printCalls, type ToolDefinition } from '@toolglot/core'
import { afterAll, describe, expect, test } from 'vitest'
import { conversationTools, openingText } from '../../test/conversation.ts'
import { callingModel, type GatewayClient, gatewayWith } from '../../test/gateway-client.ts'
import { speakers } from '../../test/speakers.ts'
import { type Behaviour, startUpstream, type Upstream } from '../../test/upstream.ts'
import { createApis } from './apis.ts'
import { isLong } from '../../../../tests/helpers/size.ts'

// Tests that run for every API.

const bash: ToolDefinition = { name: 'bash', parameters: { type: 'object' } }
/** The empty answer of an error response. */
const nothing = { calls: [], text: '', finish: undefined }
const key = 'sk-upstream-0123456789abcdef'

test('these tests cover every API', () => {
  const paths = Object.values(speakers).map(({ path }) => path)
  expect(createApis().map(({ path }) => path)).toEqual(paths)
})

describe.each(Object.keys(speakers))('%s', (name) => {
  const speaker = speakers[name]!
  const { path, finish } = speaker

  /** Sends a request, and checks that the response has the API's format and leaks nothing. */
  async function ask(
    client: GatewayClient,
    stream: boolean,
    more: object = {},
    tools: readonly ToolDefinition[] = conversationTools,
  ) {
    const response = await client.send(path, { ...speaker.body({ tools, stream }), ...more })
    const text = await response.text()
    for (const secret of [key, '/srv/secret', '127.0.0.1', 'node_modules', '.ts:', '    at '])
      expect(text).not.toContain(secret)
    const { status, headers } = response
    const notes = headers.get('x-toolglot-notes')
    if (status !== 200)
      return { status, notes, code: speaker.errorCode(JSON.parse(text)), ...nothing }
    if (!stream) return { status, notes, code: undefined, ...speaker.whole(text) }
    const { problems, error, ...answer } = speaker.stream(text)
    expect(problems, text).toEqual([])
    const details = error?.['details'] as { error_code?: string } | undefined
    return { status, notes, ...answer, code: details?.error_code ?? error?.['code'] }
  }

  describe.each([true, false])('streaming: %s', (stream) => {
    test('sends calls with their ids and arguments', async () => {
      const { client } = await gatewayTo({ chunkSize: 3 })
      const answer = await ask(client, stream)
      expect(answer).toMatchObject({ status: 200, finish: finish.calls })
      expect(answer.text.trim()).toBe(openingText)
      expect(answer.calls).toHaveLength(1)
      expect(answer.calls[0]!.name).toBe('search_notes')
    })

    test('sends an answer', async () => {
      const client = gatewayWith({ model: scriptedModel(['Yes.']), protocol: 'hermes' })
      expect(await ask(client, stream)).toMatchObject({ text: 'Yes.', finish: finish.answer })
    })

    test.each<Finish>(['stop', 'length', 'broken'])(
      'no cut of a native call that ends with %s leaves as a call',
      async (end) => {
        const whole = '{"command": "rm -rf /tmp/a", "in": {"a": 1}}'
        for (let at = 1; at < whole.length; at += isLong ? 5 : 20) {
          const client = gatewayWith({ model: callingModel(whole.slice(0, at), end) })
          expect((await ask(client, stream, {}, [bash])).calls).toEqual([])
        }
      },
    )

    test.each(['text', 'native'] as const)('reports a reply that is cut off: %s', async (kind) => {
      const { client } = await gatewayTo({ fault: 'cut', calling: kind, chunkSize: 8 })
      expect(await ask(client, stream)).toMatchObject({ calls: [], finish: finish.length })
    })

    test.each<[NonNullable<Behaviour['fault']>, code: string]>([
      ['html', 'upstream_invalid'],
      ['error-event', 'upstream_unavailable'],
      ['hang-up', 'upstream_cut_off'],
    ])('a model whose server fails: %s', async (fault, code) => {
      const { client } = await gatewayTo({ fault, chunkSize: 8 })
      const answer = await ask(client, stream)
      expect(answer.code).toBe(code)
      expect(answer).not.toMatchObject({ finish: finish.answer })
      expect(client.reports).toMatchObject([{ outcome: 'error', error: code }])
    })

    test.each([
      [401, 502, 'upstream_refused'],
      [429, 429, 'upstream_rate_limited'],
    ])('reports a model whose server answers %i', async (upstreamStatus, status, code) => {
      const { client } = await gatewayTo({ status: upstreamStatus })
      expect(await ask(client, stream)).toMatchObject({ status, code })
    })

    describe('a request that is too long', () => {
      /** The complete error as clients read it, from a response or a stream. */
      const errorOf = async (client: GatewayClient, prompt = 'word '.repeat(1000)) => {
        const response = await client.send(path, speaker.body({ prompt, stream }))
        const text = await response.text()
        const isStream = stream && name === 'responses'
        // Codex recognizes this error only in a stream.
        expect(response.status).toBe(isStream ? 200 : 400)
        const { error } = isStream
          ? speaker.stream(text)
          : (JSON.parse(text) as { error: Record<string, unknown> })
        if (isStream) expect(text).toMatch(/"status":"failed"[^]*"code":"context_length_exceeded"/)
        return error as Readonly<Record<string, unknown>>
      }
      const code =
        name === 'messages'
          ? { type: 'invalid_request_error', details: { error_code: 'context_length_exceeded' } }
          : {
              type: 'invalid_request_error',
              code: 'context_length_exceeded',
              param: name === 'chat' ? 'messages' : 'input',
            }

      test('fails with the size and advice', async () => {
        const contextAdvice = 'Restart it with -c 200.'
        const model = { ...scriptedModel([]), contextTokens: 100, contextAdvice }
        const error = await errorOf(gatewayWith({ model, protocol: 'hermes' }))
        expect(error).toMatchObject(code)
        expect(error['message']).toMatch(
          /exceeds the context window of the model: the maximum context length is 100 tokens, and .+ about \d+ tokens\. Shorten .+, or send fewer tools\. .+ Restart it with -c 200\.$/,
        )
        if (name === 'messages')
          expect(error['message']).toMatch(/^prompt is too long: \d+ tokens > 100 maximum\. /)
      })

      test("fails in the same way if the model's server refuses it", async () => {
        const { client } = await gatewayTo({ status: 413 })
        const error = await errorOf(client, 'Hi')
        expect(error).toMatchObject(code)
        expect(error['message']).toMatch(
          /"contextTokens" of the model in .+"gateway\.models" to the same size\.$/,
        )
        if (name === 'messages') expect(error['message']).toMatch(/^prompt is too long\. /)
      })
    })

    test('ends a reply at a stop sequence, and stops the model', async () => {
      if (name === 'responses') return
      const { client, upstream } = await gatewayTo({
        fault: 'endless',
        reply: 'One, two',
        chunkSize: 3,
      })
      const stop = name === 'messages' ? 'stop_sequences' : 'stop'
      const body = { ...speaker.body({ stream }), [stop]: ['no such text', 'and so'] }
      const text = await (await client.send(path, body)).text()
      const answer = stream ? speaker.stream(text) : speaker.whole(text)
      expect(answer).toMatchObject({
        text: 'One, two',
        finish: name === 'messages' ? 'stop_sequence' : 'stop',
      })
      if (name === 'messages') expect(text).toContain('"stop_sequence":"and so"')
      await upstream.abandoned(1)
      expect(client.reports).toMatchObject([{ outcome: 'answer', usage: { estimated: true } }])
    })

    test('does not cut a call off at a stop sequence', async () => {
      if (name === 'responses') return
      const { client, upstream } = await gatewayTo({ chunkSize: 3 })
      const stop = name === 'messages' ? 'stop_sequences' : 'stop'
      const { calls, finish: end } = await ask(client, stream, { [stop]: ['"', 'search', '}'] })
      expect([calls.length, end]).toEqual([1, finish.calls])
      expect(upstream.requests[0]!.body.stop).toBe(undefined)
    })

    test('refuses an image for a model without image support', async () => {
      const client = gatewayWith({ model: scriptedModel(['Yes.']), protocol: 'hermes' })
      const image = speaker.image('data:image/png;base64,AAAA')
      expect(await ask(client, stream, image)).toMatchObject({ status: 400, code: 'unsupported' })
    })

    test('stops the model when the client disconnects', async () => {
      const { client, upstream } = await gatewayTo({ fault: 'silent' })
      const gone = new AbortController()
      const response = client.send(path, speaker.body({ stream }), {
        headers: { 'content-type': 'application/json' },
        signal: gone.signal,
      })
      await upstream.arrived(1)
      gone.abort()
      await upstream.abandoned(1)
      await response
      await expect.poll(() => client.reports).toMatchObject([{ outcome: 'aborted' }])
    })
  })

  test('ends with an error if a streamed call fails', async () => {
    const { client } = await gatewayTo({ fault: 'cut', chunkSize: 4 })
    const answer = await ask(client, true, { toolglot: { stream_arguments: true } })
    expect(answer.code).toBe('broken_call')
    expect(Object.values(finish)).not.toContain(answer.finish)
  })

  test('sends parallel native calls one after the other', async () => {
    const model: Model = {
      name: 'fake',
      native: true,
      async *reply() {
        yield { type: 'call', index: 0, id: 'x', name: 'bash', delta: '{"a":' }
        yield { type: 'call', index: 1, id: 'y', name: 'bash', delta: '{"b":' }
        yield { type: 'call', index: 0, delta: '1}' }
        yield { type: 'call', index: 1, delta: '2}' }
        yield { type: 'finish', finish: 'stop' }
      },
    }
    const extension = { toolglot: { stream_arguments: true } }
    const { calls } = await ask(gatewayWith({ model }), true, extension, [bash])
    expect(calls.map((call) => call.arguments)).toEqual(['{"a":1}', '{"b":2}'])
  })

  test.each([
    ['model_not_found', 404, { model: 'missing' }],
    ['invalid_request', 400, { model: 5 }],
    ['invalid_request', 400, { temperature: 'hot' }],
    ['invalid_request', 400, { tools: 'search' }],
    ['invalid_request', 400, { tools: [{ type: 'alien' }] }],
    ['invalid_request', 400, { toolglot: { other: true } }],
    ['invalid_request', 400, { messages: [null], input: [null] }],
    ['invalid_request', 400, { messages: [], input: [] }],
    ['invalid_request', 400, { messages: [{ role: 'alien' }], input: [{ role: 'alien' }] }],
    ['unsupported', 400, { tools: [{ type: name === 'messages' ? 'bash_20250124' : 'mcp' }] }],
  ])('%s %i: %j', async (code, status, more) => {
    const client = gatewayWith({ model: scriptedModel(['Yes.']) })
    expect(await ask(client, false, more)).toMatchObject({ code, status })
  })

  test.each(['file:///etc/passwd', 'http://169.254.169.254/', 'data:text/html;base64,AA'])(
    'refuses an image at %s',
    async (url) => {
      const client = gatewayWith({ model: scriptedModel(['Yes.']) })
      expect(await ask(client, false, speaker.image(url))).toMatchObject({
        code: 'invalid_request',
      })
    },
  )

  test.each(['{"model": ', '[]', ''])(
    'refuses a body that is not a JSON object: %j',
    async (body) => {
      const client = gatewayWith({ model: scriptedModel(['Yes.']) })
      const response = await client.send(path, body)
      expect([response.status, speaker.errorCode(await response.json())]).toEqual([
        400,
        'invalid_json',
      ])
    },
  )

  test.each(['__proto__', 'constructor', 'toString'])(
    'refuses a tool with the name %s',
    async (called) => {
      const tool = { name: called, parameters: { type: 'object' } }
      const reply = printCalls('hermes', [{ name: called, args: { a: 2 } }])
      for (const stream of [true, false]) {
        const client = gatewayWith({
          model: scriptedModel([reply]),
          protocol: 'hermes',
          examples: 1,
        })
        const { calls } = await ask(client, stream, {}, [tool])
        expect(calls.map((call) => [call.name, call.arguments])).toEqual([[called, '{"a":2}']])
      }
    },
  )

  test.each(['\r\nX-Evil: 1', '€', 'x'.repeat(100_000)])(
    'keeps the name of an omitted tool out of headers: %#',
    async (more) => {
      const type = `web_search_${more}`
      for (const stream of [true, false]) {
        const client = gatewayWith({ model: scriptedModel(['Yes.']), protocol: 'hermes' })
        const { status, notes } = await ask(client, stream, { tools: [{ type }] })
        expect([status, notes]).toEqual([200, 'dropped:unknown'])
      }
    },
  )

  test('omits tools that only a provider can run, with a note', async () => {
    const client = gatewayWith({ model: scriptedModel(['Yes.']), protocol: 'hermes' })
    const type = name === 'messages' ? 'web_search_20250305' : 'web_search'
    const { notes } = await ask(client, false, { tools: [{ type, name: 'web_search' }] })
    expect(notes).toBe(`dropped:${type}`)
  })

  describe('the parameters', () => {
    const { parameters } = createApis().find((api) => api.path === path)!
    const rows = (treatment: string): readonly string[] =>
      parameters.flatMap((each) => (each.treatment === treatment ? [each.name] : []))
    const client = (): GatewayClient => gatewayWith({ model: scriptedModel(['Yes.']) })

    test.each(rows('ignore'))('%s is ignored', async (parameter) => {
      const answer = await ask(client(), false, { [parameter]: 'anything' }, [])
      expect(answer).toMatchObject({ status: 200, notes: null })
    })

    test.each([...rows('drop'), 'something_new'])(
      '%s is dropped with a note',
      async (parameter) => {
        const answer = await ask(client(), false, { [parameter]: 5 }, [])
        expect(answer).toMatchObject({ status: 200, notes: `dropped:${parameter}` })
      },
    )

    test.each(rows('refuse'))('%s is refused', async (parameter) => {
      const { code, status } = await ask(client(), false, { [parameter]: {} }, [])
      expect(status).toBe(400)
      // Anthropic has its own code for threads.
      expect(['unsupported', 'invalid_request', 'thread_unsupported_request']).toContain(code)
    })

    test('treats null as missing', async () => {
      const needed = /^(?:model|messages|input)$/
      const nothing = Object.fromEntries(
        parameters.flatMap((each) => (needed.test(each.name) ? [] : [[each.name, null]])),
      )
      expect(await ask(client(), false, nothing, [])).toMatchObject({ status: 200, notes: null })
    })
  })
})

const started: Upstream[] = []
afterAll(() => Promise.all(started.map((upstream) => upstream.close())))

async function gatewayTo(
  behaviour: Behaviour,
): Promise<{ client: GatewayClient; upstream: Upstream }> {
  const upstream = await startUpstream(behaviour)
  started.push(upstream)
  const native = behaviour.calling === 'native'
  const model = openAiCompatible({ url: upstream.url, model: 'fake', key, native })
  return { upstream, client: gatewayWith(native ? { model } : { model, protocol: 'hermes' }) }
}
