import { describe, expect, test } from 'vitest'
import { collectEvents } from '../../../test/collect-events.ts'
import { call, scripted } from '../../../test/scripted.ts'
import { textOf } from '../../model/chat-message.ts'
import { estimateTokens } from '../../model/estimate-tokens.ts'
import { estimateMessageTokens } from '../../model/token-counter.ts'
import { tool } from '../../tool/tool.ts'

const named = (name: string, description: string) =>
  tool({
    name,
    description,
    parameters: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'Where it is. '.repeat(10) },
        count: { type: 'integer', description: 'How many of them. '.repeat(10) },
      },
      required: ['path'],
    },
    readOnly: true,
    execute: () => 'word '.repeat(3000),
  })

const many = (count: number) =>
  Array.from({ length: count }, (_, at) => named(`tool_${at}`, `Does the thing number ${at}.`))

test('describes tools briefly, and counts the rest of the prompt', async () => {
  const prompts = await Promise.all(
    ['Go', 'word '.repeat(5200)].map(async (prompt) => {
      const model = scripted(['Done.'], { contextTokens: 8192 })
      await collectEvents({ model, tools: many(20), prompt })
      return textOf(model.sent[0]![0]!.content)
    }),
  )
  expect(prompts[0]).toContain('"parameters"')
  expect(prompts[1]).not.toContain('"parameters"')
  expect(prompts[1]).toContain('(path, count?: integer) Does the thing number 19.')
})

test('leaves out tools that do not fit, with a warning, and keeps the description stable', async () => {
  const model = scripted(
    [...[0, 1, 2, 3].map((count) => call('tool_0', { path: 'a', count })), 'Done.', 'Done.'],
    { contextTokens: 2048 },
  )
  const { of, end } = await collectEvents({ model, tools: many(60), prompt: 'Go' })
  expect(end.reason).toBe('answer')
  const [warning] = of('warning').filter(({ code }) => code === 'tools_left_out')
  expect(warning!.message).toMatch(/2048 tokens, so these tools are left out: .*tool_59\.$/)
  const described = model.sent
    .map((sent) => textOf(sent[0]!.content))
    .filter((text) => text.includes('<tools>'))
    .map((text) => text.match(/tool_\d+/g))
  for (const names of described) {
    expect(names).toContain('tool_0')
    expect(names).not.toContain('tool_59')
  }
  for (const sent of model.sent) expect(estimateMessageTokens(sent)).toBeLessThanOrEqual(2048)
})

test('the tool for reading the rest of a result is never left out, and has reserved space', async () => {
  const left = [0, 1, 2].map((at) => call('tool_0', { path: `a${at}` }))
  const model = scripted(
    Array.from({ length: 20 }, () => ({ messages }) => {
      if (!textOf(messages[0]!.content).includes('<tools>')) return 'A summary.'
      return left.shift() ?? 'Done.'
    }),
    { contextTokens: 2048 },
  )
  const { of } = await collectEvents({ model, tools: many(60), prompt: 'Go' })
  const described = model.sent
    .map((sent) => textOf(sent[0]!.content))
    .filter((text) => text.includes('<tools>'))
    .map((text) => [...text.matchAll(/"name": "(\w+)"/g)].map(([, name]) => name))
  const [before] = described
  expect(before).not.toContain('ReadMore')
  for (const names of described.slice(1)) expect(names).toEqual([...before!, 'ReadMore'])
  const warnings = of('warning').filter(({ code }) => code === 'tools_left_out')
  expect(warnings).toHaveLength(1)
  expect(warnings[0]!.message).not.toContain('ReadMore')
})

describe('a prompt that cannot fit is rejected before it is sent', () => {
  const system = 'Mind this rule. '.repeat(2000)
  const contextAdvice = 'Restart it with -c 16384.'

  test('with the sizes of its parts and advice', async () => {
    const model = scripted(['Done.'], { contextTokens: 4096, contextAdvice })
    const { end, of } = await collectEvents({ model, tools: many(3), prompt: 'Go', system })
    expect(model.requests).toEqual([])
    expect(end).toMatchObject({ reason: 'context_overflow' })
    expect(end.error).toMatch(
      /^The prompt has about \d+ tokens, of which the system prompt has \d+, the tools \d+ and the conversation \d+, but the context of scripted-hermes-3 has 4096: it was not sent\. Restart it with -c 16384\.$/,
    )
    // Nothing can be shortened.
    expect(of('compacted')).toEqual([])
  })

  test("counted by the model's tokenizer, if it has one", async () => {
    const count = (each: number) => ({ countTokens: async () => each, contextTokens: 4096 })
    const few = scripted(['Done.'], count(100))
    const { end } = await collectEvents({ model: few, prompt: 'Go', system })
    expect(end.reason).toBe('answer')
    const prompt = 'word '.repeat(3500)
    const most = scripted(['Done.'], count(5000))
    const { end: refused } = await collectEvents({ model: most, prompt })
    expect(refused.error).toMatch(/^The prompt has 5004 tokens, /)
  })
})

test('including tools sent with the request', async () => {
  const left = [0, 1, 2, 3, 4, 5]
  const model = scripted(
    Array.from({ length: 20 }, () => ({ tools }) => {
      const count = tools ? left.shift() : undefined
      if (count === undefined) return 'Done.'
      const delta = JSON.stringify({ path: 'a', count })
      return [
        { type: 'call', index: 0, id: `call-${count}`, name: 'tool_0', delta },
        { type: 'finish', finish: 'stop' },
      ]
    }),
    { contextTokens: 2048, native: true },
  )
  const { end, of } = await collectEvents({ model, tools: many(20), prompt: 'Go' })
  expect(end.reason).toBe('answer')
  expect(of('compacted').length).toBeGreaterThan(0)
  for (const { messages, tools = [] } of model.requests)
    expect(
      estimateMessageTokens(messages) + estimateTokens(JSON.stringify(tools)),
    ).toBeLessThanOrEqual(2048)
})

test('turns with long replies are summarized', async () => {
  const write = tool({
    name: 'write',
    description: 'Writes.',
    parameters: { type: 'object', properties: { text: { type: 'string' } } },
    execute: () => 'written',
  })
  const turns = Array.from({ length: 8 }, (_, at) =>
    call('write', { text: `${at} ${'lorem ipsum dolor '.repeat(200)}` }),
  )
  const left = [...turns]
  const model = scripted(
    Array.from({ length: 30 }, () => ({ messages }) => {
      const isSummary = !textOf(messages[0]!.content).includes('<tools>')
      return isSummary ? 'It wrote.' : (left.shift() ?? 'Done.')
    }),
    { contextTokens: 4096 },
  )
  const { end } = await collectEvents({
    model,
    tools: [write],
    prompt: 'Go',
    permissions: { allow: ['write'] },
  })
  expect(end).toMatchObject({ reason: 'answer', text: 'Done.' })
  for (const sent of model.sent) expect(estimateMessageTokens(sent)).toBeLessThanOrEqual(4096)
})

test('a server whose context is smaller than reported', async () => {
  const reply = (input: number) => [
    { type: 'text', delta: 'Done.' } as const,
    { type: 'usage', usage: { input, output: 2 } } as const,
    { type: 'finish', finish: 'stop' } as const,
  ]
  const warningsOf = async (input: number, contextTokens?: number) => {
    const model = scripted([reply(input)], {
      ...(contextTokens !== undefined && { contextTokens }),
      contextAdvice: 'Restart it with -c 16384.',
    })
    const { of } = await collectEvents({ model, prompt: 'word '.repeat(3000) })
    return of('warning').map(({ message }) => message)
  }
  expect(await warningsOf(1024, 8192)).toEqual([
    expect.stringMatching(
      /^scripted-hermes-3 read only 1024 of about 3\d{3} tokens: its server dropped the rest, because its context is smaller than reported\. Restart it with -c 16384\.$/,
    ),
  ])
  expect(await warningsOf(2900, 8192)).toEqual([])
  // No warning if the server counts only new tokens or reports nothing.
  expect(await warningsOf(20, 8192)).toEqual([])
  expect(await warningsOf(1024)).toEqual([])
})
