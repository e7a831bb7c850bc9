import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Todo } from '../tool/tool.ts'
import { compact, needsCompaction, compactionTarget } from './compact.ts'
import type { CallResult, Message } from './message.ts'
import { runs } from '../../../../tests/helpers/size.ts'

const count = (text: string): number => text.length

function turn(id: string, output: string): Message[] {
  const call = { id, name: 'Read', args: { file_path: `${id}.ts` } }
  return [
    { role: 'assistant', content: `reading ${id}`, calls: [call] },
    { role: 'results', results: [{ call, output }] },
  ]
}

const long = 'a line of a file\n'.repeat(200)
const history: Message[] = [
  { role: 'system', content: 'system' },
  { role: 'user', content: 'first' },
  ...turn('one', long),
  ...turn('two', long),
  { role: 'user', content: 'second' },
  ...turn('three', long),
  ...turn('four', 'short'),
]
const todos: Todo[] = [
  { content: 'Read all', status: 'completed', activeForm: 'Reading all' },
  { content: 'Write it', status: 'pending', activeForm: 'Writing it' },
]
const all = history.reduce((sum, message) => sum + JSON.stringify(message).length, 0)

test('decides when and how far to compact', () => {
  expect(needsCompaction(80_000, 100_000)).toBe(false)
  expect(needsCompaction(80_001, 100_000)).toBe(true)
  // In a small context, a quarter is reserved for the reply.
  expect(needsCompaction(3072, 4096)).toBe(false)
  expect(needsCompaction(3073, 4096)).toBe(true)
  expect(compactionTarget(4096, 0)).toBe(2048)
  // Tokens used by tools are not available to the history.
  expect(compactionTarget(4096, 1000)).toBe(1048)
  expect(compactionTarget(4096, 2000)).toBe(536)
  expect(compactionTarget(4096, 5000)).toBe(0)
})

test('a history that fits is unchanged', async () => {
  const same = await compact(history, { maxTokens: all, count })
  expect(same).toMatchObject({ how: 'nothing', fits: true })
  expect(same.messages).toBe(history)
})

test('first truncates old results, whose rest can still be read', async () => {
  const { messages, how, fits } = await compact(history, { maxTokens: 5000, keepTurns: 2, count })
  expect([how, fits]).toEqual(['elided', true])
  expect(messages).toHaveLength(history.length)
  expect(messages[3]).toMatchObject({
    results: [
      {
        output: expect.stringMatching(
          /^(a line of a file\n)+\n\[.*ReadMore with {"call":"one","offset":391} shows it\.\]$/,
        ) as string,
      },
    ],
  })
  expect(messages.slice(-4)).toEqual(history.slice(-4))
})

describe('then the middle is summarized', () => {
  test('asks the model for a summary, with the list of tasks', async () => {
    const requests: string[] = []
    const { messages, how, fits } = await compact(history, {
      maxTokens: 4000,
      keepTurns: 2,
      count,
      todos,
      summarize: async (request) => {
        requests.push(request)
        return 'One and two were read. <tool_call>'
      },
    })
    expect([how, fits]).toEqual(['summarised', true])
    expect(requests[0]).toContain('Call: Read {"file_path":"one.ts"}')
    expect(requests[0]).toContain('- completed: Read all')
    expect(messages.map(({ role }) => role).join()).toBe(
      'system,user,user,user,assistant,results,assistant,results',
    )
    expect(messages[2]).toMatchObject({
      content: expect.stringMatching(
        /One and two were read\. <\u2060tool_call>[^]*- completed: Read all\n- pending: Write it$/,
      ) as string,
    })
    expect(messages[3]).toMatchObject({ content: 'second' })
  })

  test.each([
    ['fails', async () => Promise.reject(new Error('down')), 'the summary failed: down'],
    ['is empty', async () => ' ', 'the summary was empty'],
    ['is not available', undefined, 'no model is available to write a summary'],
  ])('lists the calls if the summary %s', async (_, summarize, problem) => {
    const given = { maxTokens: 4000, keepTurns: 2, count, todos, ...(summarize && { summarize }) }
    const result = await compact(history, given)
    expect(result).toMatchObject({ how: 'listed', problem, fits: true })
    expect(result.messages[2]).toMatchObject({
      content: expect.stringContaining('Call: Read {"file_path":"two.ts"}') as string,
    })
  })

  test('an earlier summary is summarized with the rest', async () => {
    const [system, first] = history
    const start = [system!, first!, ...turn('one', long), ...turn('two', long)]
    const given = { maxTokens: 3700, keepTurns: 1, count, summarize: async () => 'sum' }
    const { messages: once } = await compact(start, given)
    const { messages: twice } = await compact([...once, ...turn('three', long)], given)
    expect(once.map(({ role }) => role).join()).toBe('system,user,user,assistant,results')
    expect(twice.map(({ role }) => role).join()).toBe('system,user,user,assistant,results')
  })

  test('truncates a summary that is too long', async () => {
    const summarize = async (): Promise<string> => 'words and '.repeat(10_000)
    const { fits } = await compact(history, { maxTokens: 4000, keepTurns: 1, count, summarize })
    expect(fits).toBe(true)
  })
})

test('finally truncates the last results, or reports that the history is too long', async () => {
  const last = [...history.slice(0, 2), ...turn('one', long.repeat(10))]
  const cut = await compact(last, { maxTokens: 5000, count })
  expect(cut).toMatchObject({ how: 'elided', fits: true })
  const never = await compact([{ role: 'user', content: long }], { maxTokens: 10, count })
  expect(never).toMatchObject({ how: 'nothing', fits: false })
})

const text = fc.oneof(fc.string(), fc.string({ minLength: 500, maxLength: 3000 }))
const turns = fc
  .array(fc.tuple(fc.array(text, { maxLength: 3 }), fc.option(text)), { maxLength: 12 })
  .map((given): Message[] =>
    given.flatMap(([outputs, said], turnAt): Message[] => {
      const calls = outputs.map((_, i) => ({ id: `${turnAt}.${i}`, name: 'Read', args: {} }))
      return [
        ...(said === null ? [] : [{ role: 'user' as const, content: said }]),
        { role: 'assistant', content: 'x', calls },
        ...(calls.length === 0
          ? []
          : [
              {
                role: 'results' as const,
                results: calls.map((call, i) => ({ call, output: outputs[i]! })),
              },
            ]),
      ]
    }),
  )

test('laws: calls keep their results, the first message stays, and the history shrinks or is reported as too long', async () => {
  await fc.assert(
    fc.asyncProperty(
      turns,
      fc.nat(20_000),
      fc.nat(4),
      fc.option(text),
      async (rest, maxTokens, keepTurns, summary) => {
        const messages: Message[] = [
          { role: 'system', content: 's' },
          { role: 'user', content: 'first' },
          ...rest,
        ]
        const summarize = async (): Promise<string> =>
          summary === null ? Promise.reject(new Error('no')) : summary
        const given = { maxTokens, keepTurns, count, summarize, todos }
        const copy = structuredClone(messages)
        const shorter = await compact(messages, given)
        expect(messages).toEqual(copy)
        expect(shorter.messages.slice(0, 2)).toEqual(messages.slice(0, 2))
        expect(structuredClone(shorter.messages)).toEqual(shorter.messages)
        shorter.messages.forEach((message, i) => {
          const next = shorter.messages[i + 1]
          if (message.role === 'assistant' && message.calls!.length > 0)
            expect(next?.role === 'results' && next.results.map(({ call }) => call.id)).toEqual(
              message.calls!.map(({ id }) => id),
            )
          if (message.role === 'results') expect(shorter.messages[i - 1]?.role).toBe('assistant')
        })
        const kept =
          keepTurns === 0
            ? []
            : messages.filter(({ role }) => role === 'assistant').slice(-keepTurns)
        for (const message of kept) expect(shorter.messages).toContain(message)
        expect(shorter.fits).toBe(shorter.after <= maxTokens)
        expect(shorter.after < shorter.before || shorter.how === 'nothing').toBe(true)
        const lastPrompt = messages.filter(({ role }) => role === 'user').at(-1)
        expect(shorter.messages).toContain(lastPrompt)
        expect(await compact(messages, given)).toEqual(shorter)
      },
    ),
    runs(300),
  )
})

describe('content other than text', () => {
  test('an image counts as tokens, and a summary mentions it', async () => {
    const url = `data:image/png;base64,${'A'.repeat(1e5)}`
    const shown: Message = {
      role: 'user',
      content: [
        { type: 'text', text: 'second' },
        { type: 'image', url },
      ],
    }
    const messages = [...history.slice(0, 4), shown, ...history.slice(4)]
    const plain = await compact([...history.slice(0, 4), history[6]!, ...history.slice(4)], {
      maxTokens: all,
      count,
    })
    const { before } = await compact(messages, { maxTokens: all, count })
    expect(before).toBe(plain.before + 1500)
    const requests: string[] = []
    await compact(messages, {
      maxTokens: 1000,
      keepTurns: 1,
      count,
      summarize: async (request) => {
        requests.push(request)
        return 'Done.'
      },
    })
    expect(requests[0]).toContain('User: second\nUser: [Images that are not shown here: 1.]')
    expect(requests[0]).not.toContain('base64')
  })

  test('calls in a message count in addition to its content', async () => {
    const calls = [{ id: 'a', name: 'Read', args: { file_path: 'a'.repeat(100) } }]
    const sizeOf = async (message: Message): Promise<number> =>
      (await compact([message], { maxTokens: 1e6, count })).before
    expect(await sizeOf({ role: 'assistant', content: 'x', calls })).toBeGreaterThan(100)
    expect(await sizeOf({ role: 'assistant', content: 'x', calls, protocol: 'hermes' })).toBe(1)
  })

  test('a truncated result consists of text only', async () => {
    const [asked, { results }] = turn('one', long) as [Message, { results: CallResult[] }]
    const [result] = results as [CallResult]
    const cut = async (given: CallResult): Promise<unknown> => {
      const old: Message[] = [asked, { role: 'results', results: [given] }]
      const { messages } = await compact([...old, ...turn('two', 'x')], {
        maxTokens: 1000,
        keepTurns: 1,
        count,
      })
      return messages[1]
    }
    const data = { lines: long.split('\n') }
    expect(await cut({ ...result, data })).toEqual(await cut(result))
    const short = { call: result.call, output: 'short' }
    expect(await cut({ ...short, data })).toEqual({ role: 'results', results: [short] })
  })
})
