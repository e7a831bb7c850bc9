import { expect, test } from 'vitest'
import { collectEvents } from '../../../test/collect-events.ts'
import { call } from '../../../test/scripted.ts'
import { reader } from '../../../test/tools.ts'
import type { Model, ModelChunk, ModelRequest } from '../../model/model.ts'
import { longTest } from '../../../../../tests/helpers/size.ts'

/** A model whose first reply may be of any length, and whose second one is short. */
function saying(first: () => Iterable<ModelChunk>): Model & { readonly asked: ModelRequest[] } {
  const asked: ModelRequest[] = []
  return {
    name: 'script hermes',
    asked,
    async *reply(request) {
      asked.push(request)
      if (asked.length === 1) yield* first()
      else yield { type: 'text', delta: 'Done.' }
      yield { type: 'finish', finish: 'stop' }
    },
  }
}

function* endless(chunk: ModelChunk): Generator<ModelChunk> {
  for (;;) yield chunk
}

const texts: readonly (readonly [string, string])[] = [
  ['calls', call('look', { key: 'a' })],
  ['malformed calls', '<tool_call>{"name": "look", '],
]
test.each(texts)(
  'endless %s: a limited number is parsed, and fewer are reported',
  async (_, text) => {
    const model = saying(() => endless({ type: 'text', delta: text }))
    const { of, end } = await collectEvents({ model, tools: [reader()], prompt: 'Go' })
    expect(['answer', 'loop', 'malformed']).toContain(end.reason)
    expect(of('call-end').length + of('malformed').length).toBeGreaterThan(500)
    expect(of('call-end').length + of('malformed').length).toBeLessThan(2000)
    expect(JSON.stringify(model.asked[1]!.messages).length).toBeLessThan(200_000)
  },
)

/** The last item is the expected end of the run: text that was cut off is not an answer. */
const chunks: readonly (readonly [string, ModelChunk, string])[] = [
  ['text', { type: 'text', delta: 'x'.repeat(1000) }, 'model_error'],
  ['thoughts', { type: 'reasoning', delta: 'x'.repeat(1000) }, 'answer'],
  ['pieces of a call', { type: 'call', index: 0, name: 'look', delta: 'x'.repeat(1000) }, 'answer'],
]
test.each(chunks)('endless %s are cut off, while other runs continue', async (_, chunk, reason) => {
  let ticks = 0
  const timer = setInterval(() => ticks++, 1)
  const model = saying(() => endless(chunk))
  const limits = { maxReply: 3_000_000, maxEmpty: 1 }
  const { end } = await collectEvents({ model, tools: [reader()], prompt: 'Go', limits })
  clearInterval(timer)
  expect(ticks).toBeGreaterThan(0)
  expect(end).toMatchObject({ reason })
})

test('an endless reply without content ends at the timeout', async () => {
  const model = saying(() => endless({ type: 'text', delta: '' }))
  const limits = { modelTimeout: 50, maxRetries: 1 }
  const { end } = await collectEvents({ model, prompt: 'Go', limits })
  expect(end.reason).toBe('model_error')
})

longTest('a reply that is too large to record ends the run with an error', async () => {
  const bell = '\u0007'.repeat(1 << 20)
  const model = saying(() => Array.from({ length: 12 }, () => ({ type: 'text', delta: bell })))
  const { end } = await collectEvents({ model, prompt: 'Go', limits: { maxReply: 12 << 20 } })
  expect(end).toMatchObject({ reason: 'storage' })
  expect(end.error).toContain('the maximum is')
})
