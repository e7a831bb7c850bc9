import { expect, test } from 'vitest'
import { collectEvents } from '../test/collect-events.ts'
import { call, scripted } from '../test/scripted.ts'
import { reader } from '../test/tools.ts'

test('limits can be infinite', async () => {
  const never = Infinity
  const limits = { runTimeout: never, modelTimeout: never, idleTimeout: never, toolTimeout: never }
  const model = scripted([call('look', { key: 'a' }), 'It is there.'])
  const { end, of } = await collectEvents({ model, tools: [reader()], prompt: 'Go', limits })
  expect(of('warning')).toEqual([])
  expect(end).toMatchObject({ reason: 'answer', text: 'It is there.' })
})
