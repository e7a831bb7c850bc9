import { expect, test, vi } from 'vitest'
import type { AnswerEvent } from './answer-event.ts'
import { createEventStream } from './event-stream.ts'

const writer = {
  write: (event: AnswerEvent): string => `${JSON.stringify(event)}\n`,
  error: (): string => 'error\n',
}
const text = (delta: string): AnswerEvent => ({ type: 'text', delta })

function streamOf(onCancel = (): void => {}): ReturnType<typeof createEventStream> {
  return createEventStream(writer, { onCancel, heartbeat: 60_000 })
}

test('joins events that arrive while the reader is busy', async () => {
  const stream = streamOf()
  const call = (index: number, delta: string): AnswerEvent => ({ type: 'call-delta', index, delta })
  for (const event of [text('a'), text('b'), call(0, 'c'), call(0, 'd'), call(1, 'e')])
    void stream.write(event)
  stream.end('last\n')
  const lines = (await new Response(stream.body).text()).trim().split('\n')
  expect(lines).toEqual([
    '{"type":"text","delta":"ab"}',
    '{"type":"call-delta","index":0,"delta":"cd"}',
    '{"type":"call-delta","index":1,"delta":"e"}',
    'last',
  ])
})

test('sends each event immediately to a waiting reader', async () => {
  const stream = streamOf()
  const reader = stream.body.getReader()
  for (const delta of ['a', 'b']) {
    const read = reader.read()
    expect(stream.write(text(delta))).toBe(undefined)
    expect(new TextDecoder().decode((await read).value)).toContain(`"${delta}"`)
  }
  const last = reader.read()
  stream.end()
  expect((await last).done).toBe(true)
})

test('makes the writer wait for a slow reader, and no longer', async () => {
  const stream = streamOf()
  let busy: Promise<void> | undefined
  let written = 0
  while (!busy && written < 1000) {
    busy = stream.write(text('x'.repeat(1000)))
    written++
  }
  expect(written).toBeLessThan(70)
  const reader = stream.body.getReader()
  const { value } = await reader.read()
  await busy
  expect(value!.byteLength).toBeGreaterThan(60_000)
  expect(stream.write(text('more'))).toBe(undefined)
})

test('releases the writer when the reader leaves, and reports it', async () => {
  const onCancel = vi.fn()
  const stream = streamOf(onCancel)
  let busy: Promise<void> | undefined
  while (!busy) busy = stream.write(text('x'.repeat(1000)))
  await stream.body.cancel()
  await busy
  expect(onCancel).toHaveBeenCalledOnce()
  expect(stream.write(text('more'))).toBe(undefined)
  stream.end()
})

test('keeps a silent connection open with comments', async () => {
  // Only these timers are faked, because other tests in this process may be using the rest.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    const stream = createEventStream(writer, { onCancel: () => {}, heartbeat: 1000 })
    const reader = stream.body.getReader()
    const read = reader.read()
    await vi.advanceTimersByTimeAsync(1000)
    expect(new TextDecoder().decode((await read).value)).toBe(': keep-alive\n\n')
    stream.end()
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})

test('continues after an event that produces no text', async () => {
  const silent = { ...writer, write: (event: AnswerEvent) => ('delta' in event ? 'x\n' : '') }
  const stream = createEventStream(silent, { onCancel() {}, heartbeat: 60_000 })
  void stream.write({ type: 'call-start', index: 0, id: 'a', name: 'b' })
  const reader = stream.body.getReader()
  const read = reader.read()
  // The reader has pulled, and there was nothing to send.
  await new Promise((resolve) => setImmediate(resolve))
  void stream.write(text('a'))
  expect(new TextDecoder().decode((await read).value)).toBe('x\n')
})
