import { describe, expect, test } from 'vitest'
import { parseStream as engineStream } from './engine.ts'
import {
  type Chunk,
  collectReply,
  type Event,
  type Finish,
  parserTransformer,
  parseStream,
  protocols,
  type StreamOptions,
} from './index.ts'

const hermes = protocols.hermes
/** The call is complete only with some endings of the stream. */
const reply = ['Ok. <tool_call>{"name": "ping", ', '"arguments": {"n": 1}}\n']

type Face = (chunks: readonly Chunk[], options: StreamOptions) => AsyncIterable<Event>

function pipe(chunks: readonly Chunk[], options: StreamOptions): ReadableStream<Event> {
  return new ReadableStream<Chunk>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  }).pipeThrough(new TransformStream(parserTransformer(options)))
}

const faces: readonly [name: string, face: Face][] = [
  ['parseStream', parseStream],
  ['parserTransformer', pipe],
  ['the engine', (chunks, options) => engineStream(chunks, { ...options, protocols: hermes })],
]

async function all(events: AsyncIterable<Event>): Promise<Event[]> {
  const list = []
  for await (const event of events) list.push(event)
  return list
}

describe.each(faces)('%s', (_, face) => {
  const completeness = async (
    chunks: readonly Chunk[],
    options: StreamOptions,
  ): Promise<[complete: boolean | undefined, finish: Finish | undefined]> => {
    const events = await all(face(chunks, options))
    const end = events.at(-1)
    const [call] = collectReply(events).calls
    return [call?.complete, end?.type === 'end' ? end.finish : undefined]
  }

  test.each<[about: string, StreamOptions['finish'], Finish]>([
    ['a value', 'length', 'length'],
    ['a promise', Promise.resolve('broken'), 'broken'],
    ['a function', () => 'length', 'length'],
    ['an asynchronous function', async (): Promise<Finish> => 'length', 'length'],
    ['a function that does not know', () => undefined, 'stop'],
    ['nothing', undefined, 'stop'],
  ])('takes how the stream ended from %s', async (__, finish, ended) => {
    expect(await completeness(reply, finish ? { finish } : {})).toEqual([ended === 'stop', ended])
  })

  test('calls the function only when the stream is over', async () => {
    let finish: Finish = 'broken'
    const chunks = face(reply, { finish: () => finish })
    finish = 'stop'
    expect((await all(chunks)).at(-1)).toMatchObject({ type: 'end', finish: 'stop' })
  })

  test('a last chunk takes precedence', async () => {
    const end = { finish: 'length' } as const
    expect(await completeness([...reply, end], {})).toEqual([false, 'length'])
    expect(await completeness([...reply, end], { finish: 'stop' })).toEqual([false, 'length'])
    const stop = { finish: 'stop' } as const
    expect(await completeness([...reply, stop], { finish: 'broken' })).toEqual([true, 'stop'])
  })

  test('an invalid finish is rejected', async () => {
    const wrong = 'done' as Finish
    expect(() => face(reply, { finish: wrong })).toThrow(/^options.finish must be one of/)
    await expect(all(face([{ finish: wrong }], {}))).rejects.toThrow(TypeError)
    await expect(all(face(reply, { finish: () => wrong }))).rejects.toThrow(TypeError)
    await expect(all(face([null as never], {}))).rejects.toThrow('the chunk must be')
    await expect(all(face([{} as never], {}))).rejects.toThrow('the chunk must be')
  })

  test('completes no call if the ending is unknown', async () => {
    const events: Event[] = []
    const unknown = Promise.reject(new Error('lost'))
    const reading = (async () => {
      for await (const event of face(reply, { finish: unknown })) events.push(event)
    })()
    await expect(reading).rejects.toThrow('lost')
    expect(collectReply(events).calls.filter(({ complete }) => complete)).toEqual([])
  })
})

test('if the stream throws, its text is reported as broken and the error is rethrown', async () => {
  async function* failing(): AsyncIterable<Chunk> {
    yield* reply
    yield '</tool_call> and <tool_ca'
    throw new Error('reset')
  }
  const events: Event[] = []
  const reading = (async () => {
    // This promise rejects together with the stream, and no code awaits it.
    const finish = Promise.reject(new Error('reset, too'))
    for await (const event of parseStream(failing(), { finish })) events.push(event)
  })()
  await expect(reading).rejects.toThrow('reset')
  expect(collectReply(events)).toMatchObject({
    text: 'Ok.  and <tool_ca',
    calls: [{ complete: true }],
  })
  expect(events.at(-1)).toMatchObject({ type: 'end', finish: 'broken' })
})

test('a call that is open when the stream throws is incomplete', async () => {
  async function* failing(): AsyncIterable<Chunk> {
    yield* reply
    throw new Error('reset')
  }
  const events: Event[] = []
  const reading = (async () => {
    for await (const event of parseStream(failing(), { finish: 'stop' })) events.push(event)
  })()
  await expect(reading).rejects.toThrow('reset')
  expect(collectReply(events).calls).toMatchObject([{ name: 'ping', complete: false }])
})

test('stops the stream when the consumer stops reading', async () => {
  let isClosed = false
  async function* chunks(): AsyncIterable<Chunk> {
    try {
      for (;;) yield 'x'
    } finally {
      isClosed = true
    }
  }
  for await (const event of parseStream(chunks())) {
    expect(event.type).toBe('text')
    break
  }
  expect(isClosed).toBe(true)
})

test('ends no call if a transform is aborted', async () => {
  const { readable, writable } = new TransformStream<Chunk, Event>(parserTransformer())
  const events: Event[] = []
  const reading = (async () => {
    for await (const event of readable) events.push(event)
  })()
  const writer = writable.getWriter()
  for (const chunk of reply) await writer.write(chunk)
  await writer.abort(new Error('stopped'))
  await expect(reading).rejects.toThrow('stopped')
  expect(events.map(({ type }) => type)).not.toContain('call-end')
})

test('an ending other than a stop cannot be changed', async () => {
  const ends: Chunk[] = [{ finish: 'length' }, { finish: 'stop' }]
  const { calls } = collectReply(await all(parseStream([...reply, ...ends], {})))
  expect(calls).toMatchObject([{ complete: false }])
})

test.each([null, ''])('%j is not a valid finish and not treated as a stop', async (finish) => {
  const events: Event[] = []
  const reading = async (): Promise<void> => {
    const given = () => finish as unknown as Finish
    for await (const event of parseStream(reply, { finish: given })) events.push(event)
  }
  await expect(reading()).rejects.toThrow('finish')
  expect(collectReply(events).calls).toMatchObject([{ complete: false }])
})
