import { describe, expect, test } from 'vitest'
import { textOf } from '../model/chat-message.ts'
import { collectEvents } from '../../test/collect-events.ts'
import { call, ended, scripted } from '../../test/scripted.ts'
import { reader, writer } from '../../test/tools.ts'
import { collect } from './run-result.ts'
import { run } from './run.ts'
import { settled, until } from '../../../../tests/helpers/until.ts'

const allow = { permissions: { allow: ['put'] } } as const

test('runs a call and returns its result for the answer', async () => {
  const look = reader()
  const model = scripted([`Looking. ${call('look', { key: 'a' })}`, 'It is there.'])
  const { end, of, events } = await collectEvents({ model, tools: [look], prompt: 'What is a?' })
  expect(end).toMatchObject({ reason: 'answer', text: 'It is there.' })
  expect(of('tool-end')).toMatchObject([
    { name: 'look', outcome: { status: 'success', text: 'value of a' } },
  ])
  expect(model.sent[1]!.slice(-2)).toEqual([
    { role: 'assistant', content: `Looking. ${call('look', { key: 'a' })}` },
    { role: 'user', content: '<tool_response>\nvalue of a\n</tool_response>' },
  ])
  const recorded = events.filter(({ transient }) => !transient).map(({ seq }) => seq)
  expect(recorded).toEqual([...new Set(recorded)].sort((one, other) => one - other))
  expect(end.seq).toBe(Math.max(...events.map(({ seq }) => seq)))
  expect(end.usage).toMatchObject({ estimated: true })
})

test('a model without tools simply answers', async () => {
  const model = scripted(['Hello.'])
  expect(await collect(run({ model, prompt: 'Hi' }))).toMatchObject({
    reason: 'answer',
    text: 'Hello.',
    turns: 1,
    calls: [],
  })
  expect(model.sent).toEqual([[{ role: 'user', content: 'Hi' }]])
})

test('a run without a user message is rejected', async () => {
  expect(() => run({ model: scripted([]) })).toThrow('messages must include a user message')
})

describe('many calls in one turn', () => {
  test('run in parallel if read-only, otherwise one by one, with results in order', async () => {
    const log: string[] = []
    const pause = async (name: string): Promise<string> => {
      log.push(`${name} begins`)
      if (name === 'a') await until(() => log.includes('b ends'))
      else await settled()
      log.push(`${name} ends`)
      return name
    }
    const look = reader(({ key }) => pause(key))
    const put = writer(({ value }) => pause(value))
    const reply = [
      call('look', { key: 'a' }),
      call('look', { key: 'b' }),
      call('put', { value: 'c' }),
      call('put', { value: 'd' }),
    ].join('\n')
    const model = scripted([reply, 'Done.'])
    await collectEvents({ model, tools: [look, put], prompt: 'Go', ...allow })
    expect(log).toEqual([
      'a begins',
      'b begins',
      'b ends',
      'a ends',
      'c begins',
      'c ends',
      'd begins',
      'd ends',
    ])
    const content = textOf(model.sent[1]!.at(-1)!.content)
    expect(content.match(/\n[abcd]\n/g)).toEqual(['\na\n', '\nb\n', '\nc\n', '\nd\n'])
  })

  test('are not affected if one fails', async () => {
    const look = reader(({ key }) => {
      if (key === 'b') throw new Error('no b')
      return key
    })
    const reply = ['a', 'b', 'c'].map((key) => call('look', { key })).join('\n')
    const { of } = await collectEvents({
      model: scripted([reply, 'Done.']),
      tools: [look],
      prompt: 'Go',
    })
    expect(
      of('tool-end')
        .map(({ outcome }) => outcome.status)
        .sort(),
    ).toEqual(['error', 'success', 'success'])
  })

  test('in one reply: the first ones run, and the rest are reported as not run', async () => {
    const look = reader()
    const reply = ['a', 'b', 'c'].map((key) => call('look', { key })).join('\n')
    const model = scripted([reply, 'Done.'])
    await collectEvents({ model, tools: [look], prompt: 'Go', limits: { maxCallsPerTurn: 1 } })
    expect(look.made).toEqual(['a'])
    expect(model.sent[1]!.at(-1)!.content).toContain('The last 2 of 3 calls were not run')
  })

  test('with stopAtFirstCall, the run waits for no output after the first call', async () => {
    const put = writer()
    const model = scripted([
      `${call('put', { value: 'a' })} I did it.${call('put', { value: 'b' })}`,
      'Done.',
    ])
    const { end } = await collectEvents({
      model,
      tools: [put],
      prompt: 'Go',
      stopAtFirstCall: true,
      ...allow,
    })
    expect(put.made).toEqual(['a'])
    expect(model.sent[1]!.at(-2)!.content).toBe(call('put', { value: 'a' }))
    expect(end.text).toBe('Done.')
  })
})

describe('malformed calls', () => {
  const broken = '<tool_call>\n{"name": "look", "arguments": {"key" "a"}}\n</tool_call>'

  test('are reported to the model, which tries again', async () => {
    const look = reader()
    const model = scripted([broken, call('look', { key: 'a' }), 'Done.'])
    const { end, of } = await collectEvents({ model, tools: [look], prompt: 'Go' })
    expect(of('malformed')).toHaveLength(1)
    expect(model.sent[1]!.at(-1)!.content).toContain('could not be parsed')
    expect(look.made).toEqual(['a'])
    expect(end.reason).toBe('answer')
  })

  test('end the run if they continue', async () => {
    const model = scripted([broken, broken, broken])
    const { end } = await collectEvents({ model, tools: [reader()], prompt: 'Go' })
    expect(end).toMatchObject({
      reason: 'malformed',
      error: expect.stringContaining('could not be parsed'),
    })
  })

  test('are treated as text, or end the run, depending on onMalformed', async () => {
    const text = await collectEvents({
      model: scripted([broken]),
      tools: [reader()],
      prompt: 'Go',
      onMalformed: 'text',
    })
    expect(text.end).toMatchObject({ reason: 'answer', text: broken })
    const fail = await collectEvents({
      model: scripted([broken]),
      tools: [reader()],
      prompt: 'Go',
      onMalformed: 'fail',
    })
    expect(fail.end).toMatchObject({ reason: 'malformed' })
  })

  test('do not affect valid calls in the same reply', async () => {
    const look = reader()
    const model = scripted([`${broken}\n${call('look', { key: 'a' })}`, 'Done.'])
    await collectEvents({ model, tools: [look], prompt: 'Go' })
    expect(look.made).toEqual(['a'])
  })

  test('a call that was cut off does not run, and the model is told where it ended', async () => {
    const put = writer()
    const model = scripted([
      ended('<tool_call>\n{"name": "put", "arguments": {"value": "rm -rf /', 'length'),
      'Done.',
    ])
    const { end } = await collectEvents({ model, tools: [put], prompt: 'Go', ...allow })
    expect(put.made).toEqual([])
    expect(model.sent[1]!.at(-1)!.content).toMatch(/cut off/)
    expect(end.reason).toBe('answer')
  })
})

describe('limits', () => {
  const calls = (count: number): string[] =>
    Array.from({ length: count }, (_, at) => call('look', { key: `${at}` }))

  test('request an answer in a last turn without tools', async () => {
    const model = scripted([...calls(3), 'As far as I came.'])
    const { end } = await collectEvents({
      model,
      tools: [reader()],
      prompt: 'Go',
      limits: { maxIterations: 3 },
    })
    expect(end).toMatchObject({
      reason: 'max_iterations',
      text: 'As far as I came.',
      error: 'The limit of 3 turns was reached.',
    })
    const last = model.sent.at(-1)!
    expect(last.at(-1)!.content).toContain('can no longer call tools')
    expect(last[0]!.content).not.toContain('<tools>')
  })

  test('finalizeOnLimit: false skips that turn', async () => {
    const model = scripted(calls(3))
    const { end } = await collectEvents({
      model,
      tools: [reader()],
      prompt: 'Go',
      limits: { maxIterations: 3 },
      finalizeOnLimit: false,
    })
    expect(end.reason).toBe('max_iterations')
  })

  test('maxToolCalls limits the calls', async () => {
    const look = reader()
    const model = scripted([calls(5).join('\n'), 'Enough.'])
    const { end } = await collectEvents({
      model,
      tools: [look],
      prompt: 'Go',
      limits: { maxToolCalls: 2 },
    })
    expect(look.made).toEqual(['0', '1'])
    expect(end).toMatchObject({ reason: 'max_tool_calls', text: 'Enough.' })
  })

  test('maxTokens limits the tokens', async () => {
    const model = scripted(calls(9))
    const { end } = await collectEvents({
      model,
      tools: [reader()],
      prompt: 'Go',
      limits: { maxTokens: 200 },
    })
    expect(end.reason).toBe('budget')
  })

  test('a run that takes too long ends', async () => {
    const look = reader(
      (_, { signal }) =>
        new Promise((_, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason as Error)),
        ),
    )
    const { end } = await collectEvents({
      model: scripted(calls(1)),
      tools: [look],
      prompt: 'Go',
      limits: { runTimeout: 50 },
    })
    expect(end.reason).toBe('timeout')
  })
})

describe('loops', () => {
  test('a repeated call does not run again, and a model that keeps repeating is stopped', async () => {
    const look = reader()
    const model = scripted([
      call('look', { key: 'a' }),
      '<tool_call>\n{"arguments": {"key": "\\u0061"}, "name": "look"}\n</tool_call>',
      call('look', { key: 'a' }),
      call('look', { key: 'a' }),
      'I give up.',
    ])
    const { end } = await collectEvents({ model, tools: [look], prompt: 'Go' })
    expect(look.made).toEqual(['a'])
    expect(model.sent[2]!.at(-1)!.content).toContain('Nothing has changed since')
    expect(model.sent[2]!.at(-1)!.content).toContain('value of a')
    expect(end).toMatchObject({ reason: 'loop', text: 'I give up.' })
  })

  test('a call may be repeated after a change', async () => {
    const look = reader()
    const put = writer()
    const model = scripted([
      call('look', { key: 'a' }),
      call('put', { value: 'x' }),
      call('look', { key: 'a' }),
      'Done.',
    ])
    const { end } = await collectEvents({ model, tools: [look, put], prompt: 'Go', ...allow })
    expect(look.made).toEqual(['a', 'a'])
    expect(end.reason).toBe('answer')
  })

  test('a repeatable tool may be called any number of times', async () => {
    const look = reader(undefined, { repeatable: true })
    const model = scripted([
      ...Array.from({ length: 5 }, () => call('look', { key: 'a' })),
      'Done.',
    ])
    const { end } = await collectEvents({ model, tools: [look], prompt: 'Go' })
    expect(look.made).toHaveLength(5)
    expect(end.reason).toBe('answer')
  })

  test('a cycle of calls is a loop even if each of them changes something', async () => {
    const put = writer()
    const round = [call('put', { value: 'a' }), call('put', { value: 'b' })]
    const model = scripted([...round, ...round, ...round, ...round, ...round, 'Done.'])
    const { end } = await collectEvents({ model, tools: [put], prompt: 'Go', ...allow })
    expect(end.reason).toBe('loop')
    expect(put.made.length).toBeLessThan(7)
  })
})

test("calls in other protocols are text if the model's protocol is known", async () => {
  const put = writer()
  const other = '[TOOL_CALLS]put[ARGS]{"value": "b"}'
  const model = scripted([`${call('put', { value: 'a' })}\n${other}`, 'Done.'])
  const { of } = await collectEvents({ model, tools: [put], prompt: 'Go', ...allow })
  expect(put.made).toEqual(['a'])
  expect(
    of('text')
      .map(({ delta }) => delta)
      .join(''),
  ).toContain(other)
})

test('the result contains calls with arguments and outcomes, messages and duration', async () => {
  const model = scripted([
    `${call('look', { key: 'a' })}\n${call('look', { key: 'b' })}`,
    call('look', { key: 'c' }),
    'Done.',
  ])
  const look = reader(async ({ key }) => {
    if (key === 'a') await settled()
    return { key }
  })
  const { calls, messages, duration, turns, text } = await collect(
    run({ model, tools: [look], system: 'Be brief.', prompt: 'Go' }),
  )
  expect(calls.map(({ name, args, outcome }) => [name, args, outcome.data])).toEqual(
    ['a', 'b', 'c'].map((key) => ['look', { key }, { key }]),
  )
  expect(messages.map(({ role }) => role).join()).toBe(
    'system,user,assistant,results,assistant,results,assistant',
  )
  expect([turns, text]).toEqual([3, 'Done.'])
  expect(duration).toBeGreaterThan(0)
  const second = scripted(['Yes.'])
  await collect(run({ model: second, messages, prompt: 'Sure?' }))
  expect(
    second.sent[0]!.slice(1)
      .map(({ role }) => role)
      .join(),
  ).toBe('user,assistant,user,assistant,user,assistant,user')
})

test('the messages of a run that reached a limit include the last answer', async () => {
  const model = scripted([call('look', { key: 'a' }), 'Enough.'])
  const limits = { maxIterations: 1 }
  const { messages, reason } = await collect(
    run({ model, tools: [reader()], prompt: 'Go', limits }),
  )
  expect(reason).toBe('max_iterations')
  expect(messages.slice(-2)).toMatchObject([{ role: 'user' }, { content: 'Enough.' }])
})

test('the end of a stopped run contains the text of the incomplete reply', async () => {
  const stop = new AbortController()
  const model = {
    name: 'slow',
    async *reply({ signal }: { signal: AbortSignal }) {
      yield { type: 'text', delta: 'Half an ' } as const
      stop.abort()
      await new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
        if (signal.aborted) reject(signal.reason as Error)
      })
    },
  }
  const { end } = await collectEvents({
    model,
    tools: [],
    prompt: 'Write.',
    signal: stop.signal,
  })
  expect(end).toMatchObject({ reason: 'cancelled', unfinished: 'Half an ' })
})
