import { expect, test } from 'vitest'
import { collectEvents } from '../../../test/collect-events.ts'
import { call, scripted } from '../../../test/scripted.ts'
import { reader, writer } from '../../../test/tools.ts'

const allow = { permissions: { allow: ['put'] } } as const

const again = [call('look', { key: 'a' }), call('look', { key: 'a' }), 'Done.']

test('a repeated call yields an event and fails with the earlier result', async () => {
  const { of } = await collectEvents({ model: scripted(again), tools: [reader()], prompt: 'Go' })
  const [first, second] = of('call-end').map((event) => event.call.id)
  expect(of('duplicate')).toMatchObject([{ call: second, name: 'look', of: first, on: 'warn' }])
  expect(of('tool-end').map(({ outcome }) => outcome.status)).toEqual(['success', 'duplicate'])
})

test.each([{ duplicates: { on: 'reuse' } }, { cacheResults: true }] as const)(
  'with %j, a repeated call succeeds with the earlier result',
  async (options) => {
    const look = reader(() => ({ n: 1 }))
    const { of } = await collectEvents({
      model: scripted(again),
      tools: [look],
      prompt: 'Go',
      ...options,
    })
    expect(look.made).toEqual(['a'])
    expect(of('duplicate')).toMatchObject([{ on: 'reuse' }])
    expect(of('tool-end').map(({ outcome }) => outcome)).toMatchObject([
      { status: 'success', data: { n: 1 } },
      { status: 'success', data: { n: 1 }, started: null },
    ])
  },
)

test('a call that changes something is not repeated, and its message does not claim that nothing changed', async () => {
  const put = writer()
  const twice = [call('put', { value: 'x' }), call('put', { value: 'x' }), 'Done.']
  for (const on of ['warn', 'reuse'] as const) {
    const model = scripted(twice)
    const options = { model, tools: [put], prompt: 'Go', duplicates: { on }, ...allow }
    const { of } = await collectEvents(options)
    expect(of('tool-end').at(-1)).toMatchObject({ outcome: { status: 'duplicate' } })
    expect(model.sent[2]!.at(-1)!.content).toContain('It was not run a second time')
    expect(model.sent[2]!.at(-1)!.content).not.toContain('Nothing has changed')
  }
  expect(put.made).toEqual(['x', 'x'])
})

test('compares only the most recent calls, or none', async () => {
  const keys = ['a', 'b', 'c', 'a']
  const made = async (duplicates: object): Promise<number> => {
    const look = reader()
    const model = scripted([...keys.map((key) => call('look', { key })), 'Done.'])
    await collectEvents({ model, tools: [look], prompt: 'Go', duplicates })
    return look.made.length
  }
  expect(await made({})).toBe(3)
  expect(await made({ window: 3 })).toBe(3)
  expect(await made({ window: 2 })).toBe(4)
  expect(await made({ detect: false })).toBe(4)
})

test('a model that keeps repeating calls is stopped, even if results are reused', async () => {
  const same = Array.from({ length: 9 }, () => call('look', { key: 'a' }))
  const { end } = await collectEvents({
    model: scripted([...same.slice(0, 4), 'I give up.']),
    tools: [reader()],
    prompt: 'Go',
    duplicates: { on: 'reuse' },
  })
  expect(end.reason).toBe('loop')
})
