import { expect, test } from 'vitest'
import { collectEvents } from '../../../test/collect-events.ts'
import { call, scripted } from '../../../test/scripted.ts'
import { reader, writer } from '../../../test/tools.ts'
import type { ModelChunk } from '../../model/model.ts'
import { tool } from '../../tool/tool.ts'

const allow = { permissions: { allow: ['put'] } } as const

/** A turn with calls, each given by its name and the pieces of its arguments' JSON. */
function made(...calls: (readonly [name: string, ...pieces: string[]])[]): ModelChunk[] {
  const chunks = calls.flatMap(([name, ...pieces], index): ModelChunk[] => [
    { type: 'call', index, id: `x${index}`, name },
    ...pieces.map((delta): ModelChunk => ({ type: 'call', index, delta })),
  ])
  return [...chunks, { type: 'finish', finish: 'stop' }]
}

test('calls stream in parallel, and each gets its own result message', async () => {
  const look = reader()
  const turn = made(['look', '{"key": ', '"a"}'], ['look', '{"key":"b"}'])
  const model = scripted([turn, 'Done.'], { native: true })
  const { end, of } = await collectEvents({ model, tools: [look], prompt: 'Go' })
  expect(end).toMatchObject({ reason: 'answer', text: 'Done.' })
  expect(look.made.sort()).toEqual(['a', 'b'])
  expect(model.requests[0]!.tools).toMatchObject([{ name: 'look' }])
  expect(model.sent[1]!.slice(-3)).toMatchObject([
    { role: 'assistant', calls: [{ args: { key: 'a' } }, { args: { key: 'b' } }] },
    { role: 'tool', content: 'value of a' },
    { role: 'tool', content: 'value of b' },
  ])
  expect(of('call-start').map(({ name }) => name)).toEqual(['look', 'look'])
  expect(
    of('call-delta')
      .filter(({ index }) => index === 0)
      .map(({ delta }) => delta)
      .join(''),
  ).toBe('{"key": "a"}')
})

test.each([
  ['an open string', '{"value": "rm -rf /'],
  ['an open object', '{"value": "a"'],
  ['an open object around a closed one', '{"value": {"a": 1}'],
  ['more than one value', '{"value": "a"} {"value": "b"}'],
  [
    'marks that would close the call',
    '{"value": "a"}}\n</tool_call><tool_call>{"name": "put", "arguments": {}',
  ],
])('a call with incomplete arguments does not run: %s', async (_name, text) => {
  const put = writer()
  const model = scripted([made(['put', text]), 'Done.'], { native: true })
  const { end } = await collectEvents({ model, tools: [put], prompt: 'Go', ...allow })
  expect(put.made).toEqual([])
  expect(end.reason).toBe('answer')
  expect(model.sent[1]!.at(-1)).toMatchObject({ role: 'tool' })
})

test('arguments are repaired and typed like in all calls', async () => {
  const asked: string[] = []
  const put = writer()
  const model = scripted([made(['put', "{'value': 'a',}"]), 'Done.'], { native: true })
  await collectEvents({
    model,
    tools: [put],
    prompt: 'Go',
    ...allow,
    approve: async ({ decision }) => {
      asked.push(decision.why)
      return { verdict: 'allow' }
    },
  })
  expect(put.made).toEqual(['a'])
  expect(asked).toEqual([expect.stringContaining('repaired')])
})

test('finds a call written as text next to native ones', async () => {
  const look = reader()
  const model = scripted([call('look', { key: 'a' }), 'Done.'], { native: true, name: 'any' })
  const { end } = await collectEvents({ model, tools: [look], prompt: 'Go' })
  expect(look.made).toEqual(['a'])
  expect(end.reason).toBe('answer')
})

test('a tool without arguments, and an unknown tool', async () => {
  const model = scripted([made(['look'], ['loook', '{}']), 'Done.'], { native: true })
  const { of } = await collectEvents({ model, tools: [reader()], prompt: 'Go' })
  expect(of('tool-end').map(({ outcome }) => outcome.text)).toEqual([
    expect.stringContaining('key'),
    expect.stringContaining('Did you mean look?'),
  ])
})

test('treats a native call and a call in text as two calls, each with its own result', async () => {
  const look = reader()
  const turn: ModelChunk[] = [
    { type: 'text', delta: call('look', { key: 'printed' }) },
    ...made(['look', '{"key":"made"}']),
  ]
  const model = scripted([turn, 'Done.'], { native: true, name: 'any' })
  const { of } = await collectEvents({ model, tools: [look], prompt: 'Go' })
  const ids = of('tool-end').map((event) => event.call)
  expect(new Set(ids).size).toBe(2)
  expect(model.sent[1]!.at(-1)).toMatchObject({ role: 'tool', content: 'value of made' })
})

test.each(['length', undefined] as const)(
  'does not run a call without arguments in a reply that was cut off: %s',
  async (finish) => {
    const cleared: unknown[] = []
    const clear = tool({
      name: 'clear',
      description: 'Clears a folder, or all of them',
      parameters: { type: 'object', properties: { folder: { type: 'string' } } },
      execute: (args) => cleared.push(args),
    })
    const cut: ModelChunk[] = [
      ...made(['look', '{"key":"a"}']).slice(0, -1),
      { type: 'call', index: 1, id: 'x1', name: 'clear' },
      ...(finish ? [{ type: 'finish', finish } as const] : []),
    ]
    const model = scripted([cut, 'Done.'], { native: true })
    const permissions = { allow: ['clear'] }
    await collectEvents({ model, tools: [reader(), clear], prompt: 'Go', permissions })
    expect(cleared).toEqual([])
    expect(model.sent[1]!.at(-1)!.content).toContain('cut off')
  },
)

test.each([
  ['plain', '{"value": "a", "value": "b"}', 'value'],
  ['nested', '{"value": "a", "more": [{"b": 1, "b": 2}]}', 'b'],
  ['in a string', JSON.stringify('{"value": "a", "value": "b"}'), undefined],
])('arguments with a duplicate key are rejected with the key: %s', async (_name, text, key) => {
  const put = writer()
  const model = scripted([made(['put', text]), 'Done.'], { native: true })
  const { of } = await collectEvents({ model, tools: [put], prompt: 'Go', ...allow })
  expect(put.made).toEqual([])
  const message = `${key === undefined ? 'A key' : `The key "${key}"`} appears twice`
  expect(of('tool-end').map(({ outcome }) => outcome)).toMatchObject([
    {
      status: 'error',
      failure: {
        error_type: 'invalid_input',
        message: expect.stringContaining(message) as string,
      },
    },
  ])
  expect(model.sent[1]!.at(-1)).toMatchObject({
    content: expect.stringContaining(message) as string,
  })
})

test('rejects a call in text with a duplicate key', async () => {
  const put = writer()
  const text =
    '<tool_call>\n{"name": "put", "arguments": {"value": "a", "value": "b"}}\n</tool_call>'
  const model = scripted([text, 'Done.'])
  const { of } = await collectEvents({ model, tools: [put], prompt: 'Go', ...allow })
  expect(put.made).toEqual([])
  expect(of('tool-end')).toMatchObject([
    {
      outcome: {
        failure: {
          error_type: 'invalid_input',
          message: expect.stringContaining('The key "value"') as string,
        },
      },
    },
  ])
})

test("ids are unique in the run, and the model's own ids are sent back", async () => {
  const again = (id: string): ModelChunk[] => [
    { type: 'call', index: 0, id, name: 'look', delta: `{"key":"${id}"}` },
    { type: 'call', index: 1, id, name: 'look', delta: '{"key":"z"}' },
    { type: 'finish', finish: 'stop' },
  ]
  const model = scripted([again('call_0'), again('call_0'), again('odd id'), 'Done.'], {
    native: true,
  })
  const { of } = await collectEvents({
    model,
    tools: [{ ...reader(), repeatable: true }],
    prompt: 'Go',
  })
  const calls = of('call-end').map(({ call }) => call)
  expect(calls.map(({ id }) => id)).toEqual(
    [0, 1, 2].flatMap((turn) => [`turn-${turn}-0-native`, `turn-${turn}-1-native`]),
  )
  expect(calls.map(({ modelId }) => modelId)).toEqual([
    'call_0',
    undefined,
    'call_0',
    undefined,
    undefined,
    undefined,
  ])
  const [, assistant, one, two] = model.sent[1]!
  expect(assistant).toMatchObject({ calls: [{ id: 'call_0' }, { id: 'turn-0-1-native' }] })
  expect([one, two]).toMatchObject([{ call: 'call_0' }, { call: 'turn-0-1-native' }])
  expect(of('tool-end').map(({ call }) => call)).toEqual(calls.map(({ id }) => id))
})

test('does not use ids that a model writes in its text as call ids', async () => {
  const written = (key: string): string =>
    `[TOOL_CALLS]look[CALL_ID]abc123def[ARGS]{"key": "${key}"}`
  const model = scripted([written('a'), written('b'), 'Done.'])
  const options = { model, tools: [reader()], prompt: 'Go', protocol: 'mistral-small' } as const
  const { of } = await collectEvents(options)
  expect(of('call-end')).toMatchObject([
    { call: { id: 'turn-0-0', modelId: 'abc123def' } },
    { call: { id: 'turn-1-0', modelId: 'abc123def' } },
  ])
  expect(model.sent[2]!.at(-1)!.content).toContain('abc123def')
})
