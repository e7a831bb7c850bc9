import { readFileSync } from 'node:fs'
import { createServer as createTlsServer } from 'node:https'
import { createServer, type AddressInfo } from 'node:net'
import { freePort } from '../../../../../tests/helpers/free-ports.ts'
import { inspect } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  answer,
  type Answer,
  delta,
  eventOf,
  events,
  modelServer,
} from '../../../test/model-server.ts'
import { failureOf } from '../../../test/replies.ts'
import type { ModelError } from '../model-error.ts'
import { openAiCompatible, type OpenAiOptions } from './open-ai-compatible.ts'

const key = 'sk-abcdefghijklmnopqrstuvwxyz012345'
const options = { model: 'qwen3', provider: 'Example', key, keyName: 'EXAMPLE_API_KEY' } as const

async function failure(
  reply: Answer,
  more: Partial<OpenAiOptions> = {},
): Promise<ModelError & { readonly requestCount: number }> {
  const server = await modelServer(reply)
  const error = await failureOf(openAiCompatible({ url: server.url, ...options, ...more }))
  // Neither the message nor any property of the error contains the key.
  expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(key)
  return Object.assign(error, { requestCount: server.requests.length })
}

describe('an error status', () => {
  test.each([
    [429, 'rate_limited', true],
    [500, 'unavailable', true],
    [502, 'unavailable', true],
    [503, 'unavailable', true],
    [529, 'unavailable', true],
    [408, 'unavailable', true],
    [400, 'refused', false],
    [401, 'refused', false],
    [402, 'refused', false],
    [403, 'refused', false],
    [404, 'refused', false],
    [422, 'refused', false],
  ] as const)('%i is %s', async (status, problem, isTransient) => {
    const error = await failure(answer(status, { error: { message: `No, ${key}, no.` } }))
    expect(error).toMatchObject({ problem, status, isTransient, retryAfter: undefined })
    expect(error.message).toContain(`Example (http://127.0.0.1:`)
    expect(error.message).toContain(`responded with ${status}`)
    expect(error.message).toContain('Server message: No, [key], no.')
  })

  test.each([
    [{ 'retry-after': '7' }, 7000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after-ms': '120', 'retry-after': '7' }, 120],
    [{ 'retry-after': 'Mon, 01 Jan 2001 00:00:00 GMT' }, 0],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '-1' }, undefined],
  ])('429 with %j', async (headers, retryAfter) => {
    expect(await failure(answer(429, {}, headers))).toMatchObject({ retryAfter })
  })

  test('429 with a retry-after date in the future', async () => {
    const date = new Date(Date.now() + 3_600_000).toUTCString()
    const { retryAfter } = await failure(answer(503, {}, { 'retry-after': date }))
    expect(retryAfter).toBeGreaterThan(3_000_000)
    expect(retryAfter).toBeLessThanOrEqual(3_600_000)
  })

  test('429 without credit is not retried', async () => {
    const error = await failure(
      answer(429, { error: { message: 'x', code: 'insufficient_quota' } }),
    )
    expect(error).toMatchObject({ problem: 'refused', isTransient: false })
  })

  test('a wrong or missing key: the message contains its variable', async () => {
    expect((await failure(answer(401, {}))).message).toContain('check EXAMPLE_API_KEY')
    const without = await failure(answer(401, {}), { key: undefined })
    expect(without.message).toContain('it needs a key: set EXAMPLE_API_KEY')
    const unnamed = await failure(answer(401, {}), { key: undefined, keyName: undefined })
    expect(unnamed.message).toMatch(/use http:.*\/v1#qwen3 as the model and set TOOLGLOT_API_KEY/)
  })

  test('a missing model: the message lists the available ones', async () => {
    const { message } = await failure((response, { path }) => {
      const isList = path === '/v1/models'
      const models = { data: [{ id: 'qwen3:8b' }, { id: 'llama\x1b[2J' }, { id: 5 }, null] }
      answer(isList ? 200 : 404, isList ? models : { error: 'model "qwen3" not found' })(
        response,
        undefined as never,
        undefined as never,
      )
    })
    expect(message).toContain('it has no model qwen3. Available: qwen3:8b, llama\ufffd[2J.')
    expect(message).toMatch(/ Server message: model "qwen3" not found\.$/)
  })

  test('a redirect is reported, not followed', async () => {
    const other = await modelServer(events('[DONE]'))
    const error = await failure(answer(307, '', { location: `${other.url}/v1` }))
    expect(error).toMatchObject({ problem: 'refused', status: 307 })
    expect(error.message).toContain(`it redirects to ${other.url}/v1`)
    expect(other.requests).toEqual([])
  })

  test.each([
    [400, { error: { message: 'Please reduce the length of the messages.' } }],
    [400, { error: { message: 'no', code: 'context_length_exceeded' } }],
    [400, { error: { code: 400, message: 'the request exceeds the available context size' } }],
    [400, { object: 'error', message: "This model's maximum context length is 4096 tokens" }],
    [500, { error: 'input length exceeds the context length' }],
    [413, ''],
  ])('%i %j is a context overflow', async (status, body) => {
    const error = await failure(answer(status, body))
    expect(error).toMatchObject({ problem: 'context_overflow', isTransient: false })
  })
})

describe('no connection', () => {
  test('nothing is listening', async () => {
    const url = `http://127.0.0.1:${await freePort()}`
    const model = openAiCompatible({ url, model: 'm', provider: 'Ollama', start: 'ollama serve' })
    const error = await failureOf(model)
    expect(error).toMatchObject({
      problem: 'unreachable',
      code: 'ECONNREFUSED',
      isTransient: false,
    })
    expect(error.message).toContain('Is Ollama running? Start it with `ollama serve`')
  })

  test('the host does not exist', async () => {
    const error = await failureOf(openAiCompatible({ url: 'http://nobody.invalid', model: 'm' }))
    expect(error.problem).toBe('unreachable')
    expect(error.code).toMatch(/^(ENOTFOUND|EAI_AGAIN)$/)
    // EAI_AGAIN means that the name server is temporarily unreachable.
    expect(error.isTransient).toBe(error.code === 'EAI_AGAIN')
  })

  test('TLS to a server without TLS', async () => {
    const { port } = await modelServer(events('[DONE]'))
    const error = await failureOf(
      openAiCompatible({ url: `https://127.0.0.1:${port}`, model: 'm' }),
    )
    expect(error.problem).toBe('unreachable')
    expect(error.message).toMatch(/http:\/\/ or https:\/\//)
  })

  test('an untrusted certificate', async () => {
    const file = (name: string): Buffer =>
      readFileSync(
        new URL(`../../../../tools/test/fixtures/self-signed/${name}.pem`, import.meta.url),
      )
    const server = createTlsServer({ key: file('key'), cert: file('cert') }).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    const error = await failureOf(
      openAiCompatible({ url: `https://127.0.0.1:${port}`, model: 'm' }),
    )
    expect(error.problem).toBe('unreachable')
    expect(error.message).toContain('certificate is not trusted')
  })

  test('the server closes the connection before it responds', async () => {
    const error = await failure((_response, _request, socket) => socket.destroy())
    expect(error).toMatchObject({ problem: 'unreachable', isTransient: true })
  })

  test('the server does not speak HTTP', async () => {
    const server = createServer((socket) => socket.end('SSH-2.0-OpenSSH\r\n')).listen(
      0,
      '127.0.0.1',
    )
    onTestFinished(() => void server.close())
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    const error = await failureOf(openAiCompatible({ url: `http://127.0.0.1:${port}`, model: 'm' }))
    expect(error.problem).toBe('unreachable')
  })
})

describe('an invalid reply', () => {
  test.each([
    ['text', 'Bad gateway', 'it starts with Bad gateway'],
    ['nothing', '', 'the response is empty'],
    ['whitespace', ' \n ', 'the response is empty'],
    ['half of an event', 'data base down', 'the response is empty'],
    ['half of JSON', '{"choices": [', 'is not JSON: {"choices": [.'],
    ['an event that is not JSON', 'data: {"choices"\n\n', 'is not JSON: {"choices".'],
    ['an event that is not an object', 'data: 5\n\n', 'it is not an object'],
    ['choices that are not an array', 'data: {"choices": 5}\n\n', 'not an array'],
    ['HTML in the middle', `${eventOf(delta({ content: 'a' }))}<html>\n`, '<html>'],
    ['two replies', eventOf({ choices: [{ index: 1, delta: {} }] }), 'several replies'],
    [
      'two ends',
      eventOf(delta({}, 'stop')) + eventOf(delta({}, 'length')),
      'it ended twice, with stop and with length',
    ],
  ])('%s', async (_, body, message) => {
    const error = await failure((response) => response.writeHead(200).end(body))
    expect(error).toMatchObject({ problem: 'garbled', isTransient: true })
    expect(error.message).toContain(message)
  })

  test.each([
    [
      '<!doctype html>\n<title>Sign in</title>',
      'sent a web page instead of a reply, titled "Sign in". Check the URL.',
    ],
    [
      '<html><body>Hi',
      'sent a web page instead of a reply, one that starts with <html><body>Hi. Check the URL.',
    ],
  ])('a web page does not cause a retry: %s', async (body, message) => {
    const error = await failure((response) => response.writeHead(200).end(body))
    expect(error).toMatchObject({ problem: 'garbled', isTransient: false })
    expect(error.message).toMatch(/^http:.* sent a web page/)
    expect(error.message).toContain(message)
  })

  test('rejects bytes that are not UTF-8', async () => {
    const error = await failure((response) =>
      response.end(Buffer.from('data: "\xe9"\n\n', 'latin1')),
    )
    expect(error.message).toContain('it is not UTF-8')
  })

  test('a quoted server message has no control characters and is short', async () => {
    const { message } = await failure(answer(500, `\x1b[2J${'x'.repeat(100_000)}`))
    expect(message.length).toBeLessThan(500)
    expect(message).not.toContain('\x1b')
  })

  test('reports an error in the middle of a stream', async () => {
    const half = delta({ content: 'Half ' })
    const error = await failure(events(half, { error: { code: 429, message: 'slow down' } }))
    expect(error).toMatchObject({ problem: 'rate_limited', status: 429 })
    expect(await failure(events(half, { error: 'out of memory' }))).toMatchObject({
      problem: 'unavailable',
    })
  })

  test('reports a content filter', async () => {
    const error = await failure(
      events(delta({ content: 'a' }), delta({}, 'content_filter'), '[DONE]'),
    )
    expect(error).toMatchObject({ problem: 'refused', isTransient: false })
  })
})
