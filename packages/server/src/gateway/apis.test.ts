import type { Model } from '@toolglot/agent'
import { openAiCompatible } from '@toolglot/agent/models'
import { scriptedModel } from '@toolglot/agent/testing'
import type { Finish, ToolDefinition } from '@toolglot/core'
import { afterAll, describe, expect, test } from 'vitest'
import { conversationTools, openingText } from '../../test/conversation.ts'
import { type GatewayClient, gatewayWith } from '../../test/gateway-client.ts'
import { speakers } from '../../test/speakers.ts'
import { type Behaviour, startUpstream, type Upstream } from '../../test/upstream.ts'
import { createApis } from './apis.ts'

// What holds for every API.

const bash: ToolDefinition = { name: 'bash', parameters: { type: 'object' } }
/** What an error says instead of an answer. */
const nothing = { calls: [], text: '', finish: undefined }
const key = 'sk-upstream-0123456789abcdef'

test('every API is spoken in these tests', () => {
  const paths = Object.values(speakers).map(({ path }) => path)
  expect(createApis().map(({ path }) => path)).toEqual(paths)
})

describe.each(Object.keys(speakers))('%s', (name) => {
  const speaker = speakers[name]!
  const { path, finish } = speaker

  /** Asks, and expects that whatever comes has the API's shape, and that nothing is leaked. */
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
    test('calls, with their ids and arguments', async () => {
      const { client } = await gatewayTo({ chunkSize: 3 })
      const answer = await ask(client, stream)
      expect(answer).toMatchObject({ status: 200, finish: finish.calls })
      expect(answer.text.trim()).toBe(openingText)
      expect(answer.calls).toHaveLength(1)
      expect(answer.calls[0]!.name).toBe('search_notes')
    })

    test('an answer', async () => {
      const client = gatewayWith({ model: scriptedModel(['Yes.']), protocol: 'hermes' })
      expect(await ask(client, stream)).toMatchObject({ text: 'Yes.', finish: finish.answer })
    })

    test.each<Finish>(['stop', 'length', 'broken'])(
      'no cut of a native call that ends with %s leaves as a call',
      async (end) => {
        const whole = '{"command": "rm -rf /tmp/a", "in": {"a": 1}}'
        for (let at = 1; at < whole.length; at += 5) {
          const client = gatewayWith({ model: calling(whole.slice(0, at), end) })
          expect((await ask(client, stream, {}, [bash])).calls).toEqual([])
        }
      },
    )

    test.each(['text', 'native'] as const)('a reply that is cut off: %s', async (kind) => {
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
      [413, 400, 'context_length_exceeded'],
      [429, 429, 'upstream_rate_limited'],
    ])('a model whose server answers %i', async (upstreamStatus, status, code) => {
      const { client } = await gatewayTo({ status: upstreamStatus })
      expect(await ask(client, stream)).toMatchObject({ status, code })
    })

    test('an image for a model that takes none', async () => {
      const client = gatewayWith({ model: scriptedModel(['Yes.']), protocol: 'hermes' })
      const image = speaker.image('data:image/png;base64,AAAA')
      expect(await ask(client, stream, image)).toMatchObject({ status: 400, code: 'unsupported' })
    })

    test('a client that goes away: the model is no longer asked', async () => {
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

  test('a call that turns out broken while its arguments are streamed ends with an error', async () => {
    const { client } = await gatewayTo({ fault: 'cut', chunkSize: 4 })
    const answer = await ask(client, true, { toolglot: { stream_arguments: true } })
    expect(answer.code).toBe('broken_call')
    expect(Object.values(finish)).not.toContain(answer.finish)
  })

  test('native calls that are written at the same time come one after the other', async () => {
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
    'an image at %s',
    async (url) => {
      const client = gatewayWith({ model: scriptedModel(['Yes.']) })
      expect(await ask(client, false, speaker.image(url))).toMatchObject({
        code: 'invalid_request',
      })
    },
  )

  test.each(['{"model": ', '[]', ''])('a body that is not a JSON object: %j', async (body) => {
    const client = gatewayWith({ model: scriptedModel(['Yes.']) })
    const response = await client.send(path, body)
    expect([response.status, speaker.errorCode(await response.json())]).toEqual([
      400,
      'invalid_json',
    ])
  })

  test('tools that a provider would run are left out, and noted', async () => {
    const client = gatewayWith({ model: scriptedModel(['Yes.']), protocol: 'hermes' })
    const type = name === 'messages' ? 'web_search_20250305' : 'web_search'
    const { notes } = await ask(client, false, { tools: [{ type, name: 'web_search' }] })
    expect(notes).toBe(`dropped:${type}`)
  })

  describe('of its parameters', () => {
    const { parameters } = createApis().find((api) => api.path === path)!
    const rows = (treatment: string): readonly string[] =>
      parameters.flatMap((each) => (each.treatment === treatment ? [each.name] : []))
    const client = (): GatewayClient => gatewayWith({ model: scriptedModel(['Yes.']) })

    test.each(rows('ignore'))('%s is ignored', async (parameter) => {
      const answer = await ask(client(), false, { [parameter]: 'anything' }, [])
      expect(answer).toMatchObject({ status: 200, notes: null })
    })

    test.each([...rows('drop'), 'something_new'])('%s is dropped, and noted', async (parameter) => {
      const answer = await ask(client(), false, { [parameter]: 5 }, [])
      expect(answer).toMatchObject({ status: 200, notes: `dropped:${parameter}` })
    })

    test.each(rows('refuse'))('%s is refused', async (parameter) => {
      const { code, status } = await ask(client(), false, { [parameter]: {} }, [])
      expect(status).toBe(400)
      // What is said about threads is Anthropic's own.
      expect(['unsupported', 'invalid_request', 'thread_unsupported_request']).toContain(code)
    })

    test('null means that it is not there', async () => {
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

/** A model that has function calling. */
function calling(delta: string, finish: Finish): Model {
  return {
    name: 'fake',
    native: true,
    async *reply() {
      yield { type: 'call', index: 0, id: 'x', name: 'bash', delta }
      yield { type: 'finish', finish }
    },
  }
}
