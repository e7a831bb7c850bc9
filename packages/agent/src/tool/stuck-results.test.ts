import { expect, test } from 'vitest'
import { collectEvents } from '../../test/collect-events.ts'
import { call, scripted } from '../../test/scripted.ts'
import { reader, writer } from '../../test/tools.ts'
import { settled } from '../../../../tests/helpers/until.ts'

/** Each call yields a piece and then hangs. */
function stuck(): { readonly result: AsyncIterable<string>; readonly begun: () => number } {
  let begun = 0
  const result = {
    [Symbol.asyncIterator]: () => {
      begun++
      let pieces = 0
      const next = (): Promise<IteratorResult<string>> =>
        pieces++ === 0
          ? Promise.resolve({ done: false, value: 'the first' })
          : new Promise(() => {})
      return { next }
    },
  }
  return { result, begun: () => begun }
}

test("cuts off an endless result stream at the tool's timeout", async () => {
  const { result, begun } = stuck()
  const model = scripted([call('look', { key: 'a' }), 'Done.'])
  const look = reader(() => result)
  const { end, of } = await collectEvents({
    model,
    tools: [look],
    prompt: 'Go',
    limits: { toolTimeout: 50 },
  })
  expect(end.reason).toBe('answer')
  expect(of('tool-end')).toMatchObject([{ outcome: { text: 'the first', truncated: true } }])
  expect(begun()).toBe(1)
})

test('an endless result stream does not delay a stopped run', async () => {
  const stop = new AbortController()
  const look = reader(() => {
    setImmediate(() => stop.abort())
    return stuck().result
  })
  const model = scripted([call('look', { key: 'a' }), 'Done.'])
  const { end } = await collectEvents({ model, tools: [look], prompt: 'Go', signal: stop.signal })
  expect(end.reason).toBe('cancelled')
})

const permissions = { allow: ['put'] }

/** Yields a piece, aborts, and yields another piece. */
async function* pieces(stop: AbortController): AsyncGenerator<string> {
  yield 'one '
  stop.abort()
  await settled()
  yield 'two'
}

test('the result stream of a tool that changes something is read to its end after an abort', async () => {
  const stop = new AbortController()
  const put = writer(() => pieces(stop))
  const model = scripted([call('put', { value: 'a' })])
  const { signal } = stop
  const { of, end } = await collectEvents({
    model,
    tools: [put],
    prompt: 'Go',
    signal,
    permissions,
  })
  expect(of('tool-end')).toMatchObject([{ outcome: { status: 'success', text: 'one two' } }])
  expect(end.reason).toBe('cancelled')
})

test('the outcome of a tool that changes something is unknown if its result stream does not end', async () => {
  const put = writer(() => stuck().result)
  const model = scripted([call('put', { value: 'a' }), 'Done.'])
  const limits = { toolTimeout: 20 }
  const { of } = await collectEvents({ model, tools: [put], prompt: 'Go', limits, permissions })
  expect(of('tool-end')).toMatchObject([{ outcome: { status: 'unknown' } }])
})

test("the outcome is unknown if the abort comes before the stream's first piece", async () => {
  const stop = new AbortController()
  const put = writer(() => (stop.abort(), stuck().result))
  const model = scripted([call('put', { value: 'a' })])
  const { signal } = stop
  const { of } = await collectEvents({ model, tools: [put], prompt: 'Go', signal, permissions })
  expect(of('tool-end')).toMatchObject([{ outcome: { status: 'unknown' } }])
})
