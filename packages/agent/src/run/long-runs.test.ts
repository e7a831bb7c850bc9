import { describe, expect, test } from 'vitest'
import { textOf } from '../model/chat-message.ts'
import { type Disk, journalOn } from '../../test/disk.ts'
import { collectEvents } from '../../test/collect-events.ts'
import { call, scripted, type Scripted } from '../../test/scripted.ts'
import { reader } from '../../test/tools.ts'
import { ModelError } from '../model/model-error.ts'

const page = (key: string): string => `${key}: ${'lorem ipsum '.repeat(300)}`

/** A model that looks up one key after another, even if it is asked for summaries in between. */
function curious(turns: number): Scripted[] {
  let next = 0
  const one: Scripted = ({ messages, tools }) => {
    const hasTools = messages.some(({ content }) => textOf(content).includes('<tools>')) || tools
    if (!hasTools) return `Summary: looked up ${next} things.`
    return next < turns ? call('look', { key: `k${next++}` }) : 'All found.'
  }
  return Array.from({ length: turns * 3 }, () => one)
}

describe("a history that exceeds the model's context", () => {
  test('is shortened in time, and the run continues', async () => {
    const look = reader(({ key }) => page(key))
    const model = scripted(curious(20), { contextTokens: 6000 })
    const { end, of } = await collectEvents({
      model,
      tools: [look],
      prompt: 'Find all',
      limits: { maxIterations: 40 },
    })
    expect(end).toMatchObject({ reason: 'answer', text: 'All found.' })
    expect(look.made).toHaveLength(20)
    expect(of('compacted').length).toBeGreaterThan(0)
    for (const { before, after } of of('compacted')) expect(after).toBeLessThan(before)
    const longest = Math.max(
      ...model.sent.map((sent) => sent.reduce((sum, { content }) => sum + content.length, 0)),
    )
    expect(longest).toBeLessThan(6000 * 6)
    // The system prompt is never dropped.
    for (const sent of model.sent.filter((each) => each[0]!.role === 'system'))
      expect(sent.some(({ content }) => textOf(content).includes('Find all'))).toBe(true)
  })

  test('stays complete in the journal, and a resumed run is just as short', async () => {
    const disk: Disk = new Map()
    const look = reader(({ key }) => page(key))
    const model = scripted(curious(12), { contextTokens: 6000 })
    const options = { tools: [look], prompt: 'Find all', id: 'run-1' }
    await collectEvents({ ...options, model, journal: journalOn(disk) })
    const results = disk.get('run-1')!.filter(({ key }) => key.endsWith('/call/0'))
    expect(
      results.filter(({ value }) => (value as { text: string }).text.length > 3000),
    ).toHaveLength(12)
    const again = scripted(['And?'], { contextTokens: 6000 })
    await collectEvents({
      ...options,
      model: again,
      journal: journalOn(disk),
      prompt: 'More',
      resume: true,
    })
    const length = again.sent[0]!.reduce((sum, { content }) => sum + content.length, 0)
    expect(length).toBeLessThan(6000 * 6)
  })

  test('is shortened and resent if the server reports an overflow', async () => {
    const look = reader(({ key }) => page(key))
    const overflow = new ModelError('context_overflow', 'The context is too long.')
    const model = scripted([
      ...['a', 'b', 'c', 'd', 'e', 'f'].map((key) => call('look', { key })),
      overflow,
      'Summary: looked at a to c.',
      'Done.',
    ])
    const { end, of } = await collectEvents({ model, tools: [look], prompt: 'Go' })
    expect(of('compacted')).toHaveLength(1)
    expect(end.reason).toBe('answer')
  })

  test('ends the run if it cannot be shortened', async () => {
    const overflow = new ModelError('context_overflow', 'The context is too long.')
    const { end } = await collectEvents({ model: scripted([overflow]), prompt: 'Go' })
    expect(end).toMatchObject({ reason: 'context_overflow', error: 'The context is too long.' })
  })
})

describe('a result that exceeds maxResult', () => {
  test('is truncated, and the model can read more of it', async () => {
    const text = Array.from({ length: 9000 }, (_, at) => `line ${at}`).join('\n')
    const look = reader(() => text)
    const model = scripted([
      call('look', { key: 'a' }),
      ({ messages }) => {
        const [, offset] = /"offset":(\d+)/.exec(textOf(messages.at(-1)!.content))!
        return call('ReadMore', { call: 'turn-0-0', offset: Number(offset) })
      },
      'Done.',
    ])
    const { of } = await collectEvents({
      model,
      tools: [look],
      prompt: 'Go',
      limits: { maxResult: 2000 },
    })
    expect(model.sent[0]![0]!.content).not.toContain('ReadMore')
    expect(model.sent[1]![0]!.content).toContain('ReadMore')
    expect(model.sent[1]!.at(-1)!.content.length).toBeLessThan(2200)
    const more = of('tool-end')[1]!.outcome
    expect(more.status).toBe('success')
    const content = textOf(model.sent[1]!.at(-1)!.content)
    const lastSeen = /line (\d+)\s+\[/.exec(content)![1]!
    expect(more.text.startsWith(`line ${Number(lastSeen) + 1}\n`)).toBe(true)
  })
})

test('usage and cost are added up', async () => {
  const usage = { input: 1000, output: 100 }
  const turn = (text: string): Scripted => [
    { type: 'text', delta: text },
    { type: 'usage', usage },
    { type: 'finish', finish: 'stop' },
  ]
  const model = scripted([turn(call('look', { key: 'a' })), turn('Done.')], {
    price: { input: 2, output: 10, currency: 'USD' },
  })
  const { end } = await collectEvents({ model, tools: [reader()], prompt: 'Go' })
  expect(end.usage).toEqual({ input: 2000, output: 200, cost: expect.closeTo(0.006, 6) })
})
