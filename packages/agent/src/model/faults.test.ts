import { readFileSync } from 'node:fs'
import { createServer as createTlsServer } from 'node:https'
import { createServer, type AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  answer,
  type Answer,
  delta,
  eventOf,
  events,
  modelServer,
} from '../../test/model-server.ts'
import { failureOf } from '../../test/replies.ts'
import type { ModelError } from './model-error.ts'
import { openAiCompatible, type OpenAiOptions } from './open-ai-compatible.ts'

const key = 'sk-abcdefghijklmnopqrstuvwxyz012345'
const options = { model: 'qwen3', provider: 'Example', key, keyName: 'EXAMPLE_API_KEY' } as const

async function failure(
  reply: Answer,
  more: Partial<OpenAiOptions> = {},
): Promise<ModelError & { readonly asked: number }> {
  const server = await modelServer(reply)
  const error = await failureOf(openAiCompatible({ url: server.url, ...options, ...more }))
  // Neither what is said nor anything that hangs on it.
  expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(key)
  return Object.assign(error, { asked: server.asked.length })
}

describe('a status that is no success', () => {
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
    expect(error.message).toContain(`answered ${status}`)
    expect(error.message).toContain('It says: No, [key], no.')
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

  test('429 with a date to come', async () => {
    const date = new Date(Date.now() + 3_600_000).toUTCString()
    const { retryAfter } = await failure(answer(503, {}, { 'retry-after': date }))
    expect(retryAfter).toBeGreaterThan(3_000_000)
    expect(retryAfter).toBeLessThanOrEqual(3_600_000)
  })

  test('429 without credit is not asked again', async () => {
    const error = await failure(
      answer(429, { error: { message: 'x', code: 'insufficient_quota' } }),
    )
    expect(error).toMatchObject({ problem: 'refused', isTransient: false })
  })

  test('a key that is wrong or missing: which variable holds it', async () => {
    expect((await failure(answer(401, {}))).message).toContain('check EXAMPLE_API_KEY')
    const without = await failure(answer(401, {}), { key: undefined })
    expect(without.message).toContain('it needs a key: set EXAMPLE_API_KEY')
    const unnamed = await failure(answer(401, {}), { key: undefined, keyName: undefined })
    expect(unnamed.message).toMatch(/call the model http:.*\/v1#qwen3 and set TOOLGLOT_API_KEY/)
  })

  test('a model that is not there: which are', async () => {
    const { message } = await failure((response, { path }) => {
      const isList = path === '/v1/models'
      const models = { data: [{ id: 'qwen3:8b' }, { id: 'llama\x1b[2J' }, { id: 5 }, null] }
      answer(isList ? 200 : 404, isList ? models : { error: 'model "qwen3" not found' })(
        response,
        undefined as never,
        undefined as never,
      )
    })
    expect(message).toContain('it has no model qwen3. It has qwen3:8b, llama\ufffd[2J: name')
    expect(message).toMatch(/ It says: model "qwen3" not found\.$/)
  })

  test('an address elsewhere is told, and nothing is sent there', async () => {
    const other = await modelServer(events('[DONE]'))
    const error = await failure(answer(307, '', { location: `${other.url}/v1` }))
    expect(error).toMatchObject({ problem: 'refused', status: 307 })
    expect(error.message).toContain(`its API is elsewhere, at ${other.url}/v1`)
    expect(other.asked).toEqual([])
  })

  test.each([
    [400, { error: { message: 'Please reduce the length of the messages.' } }],
    [400, { error: { message: 'no', code: 'context_length_exceeded' } }],
    [400, { error: { code: 400, message: 'the request exceeds the available context size' } }],
    [400, { object: 'error', message: "This model's maximum context length is 4096 tokens" }],
    [500, { error: 'input length exceeds the context length' }],
    [413, ''],
  ])('%i %j is a context that overflows', async (status, body) => {
    const error = await failure(answer(status, body))
    expect(error).toMatchObject({ problem: 'context_overflow', isTransient: false })
  })
})

describe('no connection', () => {
  async function closedPort(): Promise<number> {
    const server = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    await new Promise((resolve) => server.close(resolve))
    return port
  }

  test('nothing listens', async () => {
    const url = `http://127.0.0.1:${await closedPort()}`
    const model = openAiCompatible({ url, model: 'm', provider: 'Ollama', start: 'ollama serve' })
    const error = await failureOf(model)
    expect(error).toMatchObject({ problem: 'unreachable', code: 'ECONNREFUSED', isTransient: true })
    expect(error.message).toContain('Is Ollama running? start it with `ollama serve`')
  })

  test('the name is nobody’s', async () => {
    const error = await failureOf(openAiCompatible({ url: 'http://nobody.invalid', model: 'm' }))
    expect(error).toMatchObject({ problem: 'unreachable', isTransient: true })
    expect(error.code).toMatch(/^(ENOTFOUND|EAI_AGAIN)$/)
  })

  test('TLS to a server without it', async () => {
    const { port } = await modelServer(events('[DONE]'))
    const error = await failureOf(
      openAiCompatible({ url: `https://127.0.0.1:${port}`, model: 'm' }),
    )
    expect(error.problem).toBe('unreachable')
    expect(error.message).toMatch(/http:\/\/ or https:\/\//)
  })

  test('a certificate that nobody trusts', async () => {
    const file = (name: string): Buffer =>
      readFileSync(new URL(`../../../tools/test/fixtures/self-signed/${name}.pem`, import.meta.url))
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

  test('it hangs up before it answers', async () => {
    const error = await failure((_response, _asked, socket) => socket.destroy())
    expect(error).toMatchObject({ problem: 'unreachable', isTransient: true })
  })

  test('what answers does not speak HTTP', async () => {
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

describe('what comes is no reply', () => {
  test.each([
    [
      'HTML',
      '<!doctype html>\n<title>Sign in</title>',
      'it is HTML (check the URL): <!doctype html>',
    ],
    ['a text', 'Bad gateway', 'it begins with Bad gateway'],
    ['nothing', '', 'nothing came'],
    ['space', ' \n ', 'nothing came'],
    ['half of an event', 'data base down', 'nothing came'],
    ['half of JSON', '{"choices": [', 'expected JSON, got {"choices": ['],
    ['an event that is no JSON', 'data: {"choices"\n\n', 'expected JSON, got {"choices"'],
    ['an event that is no object', 'data: 5\n\n', 'it is no object'],
    ['choices that are no list', 'data: {"choices": 5}\n\n', 'no list'],
    ['HTML in the middle', `${eventOf(delta({ content: 'a' }))}<html>\n`, '<html>'],
    ['two replies', eventOf({ choices: [{ index: 1, delta: {} }] }), 'several replies'],
    [
      'two ends',
      eventOf(delta({}, 'stop')) + eventOf(delta({}, 'length')),
      'it ended twice, by stop and by length',
    ],
  ])('%s', async (_, body, message) => {
    const error = await failure((response) => response.writeHead(200).end(body))
    expect(error).toMatchObject({ problem: 'garbled', isTransient: true })
    expect(error.message).toContain(message)
  })

  test('bytes that are not UTF-8', async () => {
    const error = await failure((response) =>
      response.end(Buffer.from('data: "\xe9"\n\n', 'latin1')),
    )
    expect(error.message).toContain('it is not UTF-8')
  })

  test('what a server says never moves a cursor and is never long', async () => {
    const { message } = await failure(answer(500, `\x1b[2J${'x'.repeat(100_000)}`))
    expect(message.length).toBeLessThan(500)
    expect(message).not.toContain('\x1b')
  })

  test('an error in the middle of a stream', async () => {
    const said = delta({ content: 'Half ' })
    const error = await failure(events(said, { error: { code: 429, message: 'slow down' } }))
    expect(error).toMatchObject({ problem: 'rate_limited', status: 429 })
    expect(await failure(events(said, { error: 'out of memory' }))).toMatchObject({
      problem: 'unavailable',
    })
  })

  test('a filter stopped it', async () => {
    const error = await failure(
      events(delta({ content: 'a' }), delta({}, 'content_filter'), '[DONE]'),
    )
    expect(error).toMatchObject({ problem: 'refused', isTransient: false })
  })
})
