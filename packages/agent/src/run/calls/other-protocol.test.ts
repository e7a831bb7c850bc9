import { describe, expect, test } from 'vitest'
import { call, scripted } from '../../../test/scripted.ts'
import { reader, writer } from '../../../test/tools.ts'
import { collect, cycle, type CycleOptions, type CycleResult, type Message } from '../../index.ts'
import { collectEvents } from '../../../test/collect-events.ts'

/** A call that was found in another dialect than the selected protocol. */
const found = (name: string, args: Record<string, unknown>) => ({
  name,
  args,
  otherProtocol: true as const,
})
const allowed = { allow: ['put'] }

async function cycleOf(
  options: Partial<CycleOptions> & Pick<CycleOptions, 'tools'>,
  ...calls: readonly ReturnType<typeof found>[]
): Promise<CycleResult> {
  return collect(cycle({ protocol: 'hermes', permissions: allowed, reply: { calls }, ...options }))
}

describe('a call in another dialect', () => {
  test('runs if the tool only reads', async () => {
    const tools = [reader(), writer()]
    const { calls, unreadable } = await cycleOf({ tools }, found('look', { key: 'a' }))
    expect(calls).toMatchObject([{ outcome: { status: 'success' } }])
    expect(unreadable).toBe(0)
  })

  test('needs approval otherwise, even if a rule allows the call', async () => {
    const put = writer()
    const reasons: string[] = []
    const approve = async (request: { decision: { why: string } }) => {
      reasons.push(request.decision.why)
      return { verdict: 'allow' } as const
    }
    await cycleOf({ tools: [put], approve }, found('put', { value: 'a' }))
    expect(put.made).toEqual(['a'])
    expect(reasons).toEqual([
      "this may not be an intended tool call: it was not written in the model's protocol",
    ])
  })

  test('is refused if there is nobody to ask, and counts as a call to be written again', async () => {
    const put = writer()
    const { message, calls, unreadable } = await cycleOf(
      { tools: [put] },
      found('put', { value: 'a' }),
    )
    expect(put.made).toEqual([])
    expect(calls).toMatchObject([
      { outcome: { status: 'denied', failure: { details: { code: 'other_protocol' } } } },
    ])
    expect(message.results).toMatchObject([{ invalid: true, otherProtocol: true }])
    expect(unreadable).toBe(1)
  })

  test('and so in the mode that asks nobody', async () => {
    const { calls } = await cycleOf(
      {
        tools: [writer()],
        permissions: { ...allowed, mode: 'dontAsk' },
        approve: async () => ({ verdict: 'allow' }),
      },
      found('put', { value: 'a' }),
    )
    expect(calls).toMatchObject([{ outcome: { failure: { details: { code: 'other_protocol' } } } }])
  })

  test('that needs approval anyway is not promised to run', async () => {
    const { message, calls, unreadable } = await cycleOf(
      { tools: [writer()], permissions: {} },
      found('put', { value: 'a' }),
    )
    expect(calls).toMatchObject([{ outcome: { failure: { details: { code: 'nobody_to_ask' } } } }])
    expect(message.results[0]).not.toHaveProperty('invalid')
    // How calls are written is worth knowing all the same.
    expect(message.results).toMatchObject([{ otherProtocol: true }])
    expect(unreadable).toBe(0)
  })

  test('that a rule denies is denied by that rule', async () => {
    const { message, calls } = await cycleOf(
      { tools: [writer()], permissions: { deny: ['put'] } },
      found('put', { value: 'a' }),
    )
    expect(calls).toMatchObject([{ outcome: { failure: { details: { code: 'denied_by_rule' } } } }])
    expect(message.results[0]).not.toHaveProperty('otherProtocol')
  })
})

test('the model is shown the call in its protocol, and the same call then runs', async () => {
  const put = writer()
  const value = 'a text that is long enough to count as an echo of something else'
  const reply = { calls: [found('put', { value })] }
  const { message } = await cycleOf({ tools: [put] }, ...reply.calls)
  const messages: Message[] = [
    { role: 'user', content: 'Go' },
    { role: 'assistant', content: 'put it', calls: [{ id: 'call-0', ...reply.calls[0]! }] },
    message,
  ]
  const model = scripted([call('put', { value }), 'Done.'])
  const { end } = await collectEvents({ model, tools: [put], permissions: allowed, messages })
  const shown = model.sent[0]!.at(-1)!.content
  expect(shown).toContain('not written the way you were told')
  expect(shown).toContain(`<tool_call>\n{"name": "put", "arguments": {"value": "${value}"}}`)
  expect(put.made).toEqual([value])
  expect(end.reason).toBe('answer')

  // In your own loop, it is no repetition, and nothing dictated it.
  put.made.length = 0
  const again = await collect(
    cycle({
      protocol: 'hermes',
      permissions: allowed,
      tools: [put],
      messages,
      reply: { calls: [{ name: 'put', args: { value } }] },
    }),
  )
  expect(again.calls).toMatchObject([{ outcome: { status: 'success' } }])
  expect(put.made).toEqual([value])
})
