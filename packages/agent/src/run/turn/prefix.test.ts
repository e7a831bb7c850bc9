// A local model reads only new text: each prompt starts with the previous prompt and reply,
// unchanged.
import { printCalls, type Protocol, protocols } from '@toolglot/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs, share } from '../../../../../tests/helpers/size.ts'
import { collectEvents } from '../../../test/collect-events.ts'
import { call, scripted } from '../../../test/scripted.ts'
import { reader } from '../../../test/tools.ts'
import { type ChatMessage, replay, type RunOptions } from '../../index.ts'
import { memoryJournal } from '../../journal/memory-journal.ts'
import { textOf } from '../../model/chat-message.ts'

const marks = Object.values(protocols).map((protocol) =>
  printCalls(protocol, [{ name: 'look', args: { key: 'x' } }]),
)
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(...marks, '<think>', '</think>', '<|im_end|>', '{{tools}}', '\u2060', ''),
)
const roles = fc.constantFrom([], ['system'], ['system', 'tool'], ['tool']) as fc.Arbitrary<
  ('system' | 'tool')[]
>
const conversation = fc.record({
  roles,
  resultRole: fc.constantFrom('user', 'tool', 'system'),
  system: fc.option(text, { nil: undefined }),
  words: fc.array(text, { minLength: 3, maxLength: 3 }),
  outputs: fc.array(text, { minLength: 3, maxLength: 3 }),
})

/** True if a prompt starts with the previous prompt and reply. */
function continues(
  before: readonly ChatMessage[],
  reply: string,
  now: readonly ChatMessage[],
): boolean {
  const start = [...before, { role: 'assistant', content: reply }]
  return JSON.stringify(now.slice(0, start.length)) === JSON.stringify(start)
}

describe.each(share(Object.values(protocols) as Protocol[], 4))('$id', (protocol) => {
  test('each prompt continues the previous one', async () => {
    await fc.assert(
      fc.asyncProperty(conversation, async ({ roles, resultRole, system, words, outputs }) => {
        const printed = (key: string): string =>
          printCalls(protocol, [{ name: 'look', args: { key } }])
        const replies = [
          `Looking.\n${printed('a')}`,
          `<think>\nHm.\n</think>\n\n${printed('b')}\n`,
          printCalls(protocol, [
            { name: 'look', args: { key: 'c' } },
            { name: 'look', args: { key: 'd' } },
          ]),
          'It is done.',
          'Yes.',
        ]
        const model = scripted(replies, { roles })
        let count = 0
        const options: RunOptions = {
          model,
          protocol,
          resultRole: resultRole as 'user',
          ...(system !== undefined && { system }),
          tools: [reader(() => outputs[count++ % 3]!)],
          journal: memoryJournal(),
          id: 'a',
          prompt: words[0]!,
        }
        const first = await collectEvents(options)
        const second = await collectEvents({ ...options, resume: true, prompt: words[1]! })
        const changed = [...first.of('prompt-changed'), ...second.of('prompt-changed')]
        const malformed = first.of('malformed').length
        for (const [at, reply] of replies.slice(0, model.sent.length - 1).entries()) {
          const isSame = continues(model.sent[at]!, reply, model.sent[at + 1]!)
          expect(isSame || malformed > 0).toBe(true)
        }
        if (malformed === 0) expect(changed).toEqual([])
      }),
      runs(3),
    )
  })
})

describe('an event explains why a prompt does not continue the previous one', () => {
  const causes = async (options: Partial<RunOptions> & Pick<RunOptions, 'model'>) => {
    const { of } = await collectEvents({ prompt: 'Go', tools: [reader()], ...options })
    return of('prompt-changed').map(({ turn, cause }) => `${turn} ${cause}`)
  }
  const look = call('look', { key: 'a' })

  test('a malformed call was neutralized', async () => {
    const broken = 'Now:\n<tool_call>\n{oops}\n</tool_call>'
    const model = scripted([broken, look, 'Done.'])
    expect(await causes({ model })).toEqual(['1 malformed'])
    const [shown] = model.sent[1]!.filter(({ role }) => role === 'assistant')
    expect(shown!.content).not.toBe(broken)
    expect(textOf(shown!.content).replaceAll('\u2060', '')).toBe(broken)
    expect(shown!.content).not.toContain('<tool_call>')
  })

  test('the tools changed: ReadMore is offered', async () => {
    const tools = [reader(() => 'line\n'.repeat(100))]
    const limits = { maxResult: 300 }
    expect(await causes({ model: scripted([look, 'Done.']), tools, limits })).toEqual(['1 tools'])
  })

  test('the tools changed: a call is no longer required', async () => {
    const model = scripted([look, 'Done.'])
    expect(await causes({ model, toolChoice: 'required' })).toEqual(['1 tools'])
  })

  test('the tools changed: none can be called at a limit', async () => {
    const model = scripted([look, 'Enough.'])
    expect(await causes({ model, limits: { maxIterations: 1 } })).toEqual(['-1 tools'])
  })

  test('the history was shortened', async () => {
    const tools = [reader(() => 'word '.repeat(900))]
    const keys = ['a', 'b', 'c', 'd']
    const model = scripted(
      [...keys.map((key) => call('look', { key })), 'A summary.', 'Done.', 'Done.'],
      { contextTokens: 3000 },
    )
    const found = await causes({ model, tools, limits: { maxResult: 5000 } })
    expect(found.length).toBeGreaterThan(0)
    expect(new Set(found.map((each) => each.split(' ')[1]))).toEqual(new Set(['compacted']))
  })

  test('the server parsed the calls, so the raw text is unknown', async () => {
    const model = scripted([
      [
        { type: 'text', delta: 'Looking.' },
        { type: 'call', index: 0, id: 'x', name: 'look', delta: '{"key":"a"}' },
        { type: 'finish', finish: 'stop' },
      ],
      'Done.',
    ])
    expect(await causes({ model })).toEqual(['1 reprinted'])
    expect(model.sent[1]!.at(-2)).toEqual({
      role: 'assistant',
      content: 'Looking.\n<tool_call>\n{"name": "look", "arguments": {"key": "a"}}\n</tool_call>',
    })
  })

  test('a recorded run has the same events', async () => {
    const journal = memoryJournal()
    const broken = '<tool_call>\n{oops}\n</tool_call>'
    await causes({ model: scripted([broken, 'Done.']), journal, id: 'a' })
    const events = [...replay('a', await journal.read('a'))]
    expect(events.filter(({ type }) => type === 'prompt-changed')).toMatchObject([
      { turn: 1, cause: 'malformed' },
    ])
  })

  test('the tools return after a last turn without them', async () => {
    const journal = memoryJournal()
    const options = { journal, id: 'a', limits: { maxIterations: 1 } }
    const model = scripted([look, 'Enough.', 'And more.'])
    expect(await causes({ ...options, model })).toEqual(['-1 tools'])
    expect(await causes({ ...options, model, resume: true, prompt: 'Go on.' })).toEqual(['1 tools'])
  })
})
