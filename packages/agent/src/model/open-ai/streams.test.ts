import { expect, test } from 'vitest'
import { type Answer, delta, eventOf, modelServer } from '../../../test/model-server.ts'
import { chunksOf, failureOf, request, textIn } from '../../../test/replies.ts'
import type { ModelChunk } from '../model.ts'
import type { ModelError } from '../model-error.ts'
import { openAiCompatible } from './open-ai-compatible.ts'

const options = { model: 'qwen3', provider: 'Example' } as const

const begin = (response: Parameters<Answer>[0]): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(eventOf(delta({ content: 'Half ' })))
}

test('a reset connection: delivers the chunks so far, then an error', async () => {
  let reset = (): void => {}
  const { url } = await modelServer((response, _request, socket) => {
    begin(response)
    reset = () => socket.resetAndDestroy()
  })
  const chunks: ModelChunk[] = []
  const read = async (): Promise<void> => {
    for await (const chunk of openAiCompatible({ url, ...options }).reply(request())) {
      chunks.push(chunk)
      reset()
    }
  }
  await expect(read()).rejects.toMatchObject({ problem: 'cut_off', isTransient: true })
  expect(textIn(chunks)).toBe('Half ')
})

test('ends if no data arrives for too long', async () => {
  const server = await modelServer(begin)
  const model = openAiCompatible({ url: server.url, ...options, idleTimeout: 50 })
  expect(await failureOf(model)).toMatchObject({ problem: 'idle', isTransient: true })
  await server.closed()
})

test('ends if no response arrives for too long', async () => {
  const server = await modelServer(() => undefined)
  const model = openAiCompatible({ url: server.url, ...options, timeout: 50 })
  expect(await failureOf(model)).toMatchObject({ problem: 'timeout', isTransient: false })
  await server.closed()
})

/** Sends data until the connection is closed. */
const endless =
  (piece: string, head = ''): Answer =>
  (response) => {
    response.write(head)
    const more = (): void => {
      while (!response.destroyed)
        if (!response.write(piece)) return void response.once('drain', more)
    }
    more()
  }

test.each([
  ['events', eventOf(delta({ content: 'x'.repeat(60_000) })), ''],
  ['one event', 'x'.repeat(60_000), 'data: {"a": "'],
  ['JSON', 'x'.repeat(60_000), '{"choices": "'],
  ['heartbeats', `: ${'x'.repeat(1000)}\n`, ''],
  ['whitespace', ' '.repeat(60_000), ''],
])('endless %s: the reply is cut off and the connection closed', async (_, piece, head) => {
  const server = await modelServer(endless(piece, head))
  const model = openAiCompatible({ url: server.url, ...options, maxBytes: 20 << 20 })
  let characters = 0
  const read = async (): Promise<void> => {
    for await (const chunk of model.reply(request()))
      if (chunk.type === 'text') characters += chunk.delta.length
  }
  const error = await read().catch((thrown: unknown) => thrown as ModelError)
  expect(['too_long', 'garbled']).toContain(error?.problem)
  expect(characters).toBeLessThan(20 << 20)
  await server.closed()
})

test('an abort before, while waiting or while streaming closes the connection and keeps the reason', async () => {
  const reason = new Error('stopped by a person')
  const server = await modelServer(begin)
  const model = openAiCompatible({ url: server.url, ...options })
  await expect(chunksOf(model, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  expect(server.requests).toEqual([])

  const controller = new AbortController()
  const read = async (): Promise<void> => {
    for await (const chunk of model.reply(request({ signal: controller.signal })))
      if (chunk.type === 'text') setImmediate(() => controller.abort(reason))
  }
  await expect(read()).rejects.toBe(reason)
  await server.closed()

  const silent = await modelServer(() => controllers.forEach((each) => each.abort(reason)))
  const controllers = [new AbortController()]
  const waiting = openAiCompatible({ url: silent.url, ...options })
  await expect(chunksOf(waiting, { signal: controllers[0]!.signal })).rejects.toBe(reason)
  await silent.closed()
})

test('leaving the loop closes the connection', async () => {
  const server = await modelServer(begin)
  for await (const _ of openAiCompatible({ url: server.url, ...options }).reply(request())) break
  await server.closed()
})
