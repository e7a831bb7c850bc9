import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { collectEvents } from '../../../test/collect-events.ts'
import { call, type Scripted, scripted } from '../../../test/scripted.ts'
import type { Journal } from '../../journal/journal.ts'
import { memoryJournal } from '../../journal/memory-journal.ts'
import { type ChatMessage, textOf } from '../../model/chat-message.ts'
import type { ModelRequest } from '../../model/model.ts'
import { ModelError } from '../../model/model-error.ts'
import { estimateMessageTokens } from '../../model/token-counter.ts'
import { tool } from '../../tool/tool.ts'
import type { RunOptions } from '../options.ts'
import { runs } from '../../../../../tests/helpers/size.ts'

const look = tool({
  name: 'look',
  description: 'Looks.',
  readOnly: true,
  parameters: { type: 'object', properties: { at: { type: 'string' } } },
  execute: ({ at }) => `${String(at)}: ${'word '.repeat(350)}`,
})

const printed = (messages: readonly ChatMessage[]): string =>
  messages.map(({ content }) => textOf(content)).join('\n')

const isSummary = (messages: readonly ChatMessage[]): boolean =>
  printed(messages).includes('Summarize the part of a conversation')

/** A model whose script does not include its summaries. */
function summarizing(
  script: readonly Scripted[],
  options: Parameters<typeof scripted>[1] = {},
): ReturnType<typeof scripted> & { readonly turns: () => ChatMessage[][] } {
  const left = [...script]
  const model = scripted(
    Array.from({ length: 200 }, () => (request: ModelRequest) => {
      if (isSummary(request.messages)) return 'They looked around.'
      const next = left.shift() ?? 'Done.'
      return typeof next === 'function' ? next(request) : next
    }),
    options,
  )
  return { ...model, turns: () => model.sent.filter((messages) => !isSummary(messages)) }
}

const gone = new ModelError('refused', 'The model is gone.')
const full = new ModelError('context_overflow', 'Too long.')

const looks = (...places: string[]): string[] => places.map((at) => call('look', { at }))

const common = { id: 'run-1', tools: [look] } satisfies Partial<RunOptions>

const keysOf = async (journal: Journal): Promise<string[]> =>
  (await journal.read('run-1')).map(({ key }) => key).filter((key) => key.startsWith('compact/'))

describe('a message that arrives after a turn with a compacted history failed', () => {
  test('is read, and the history is compacted again if necessary', async () => {
    const journal = memoryJournal()
    const script = [...looks('a', 'b', 'c', 'd', 'e', 'f'), gone, gone, 'Here you are.']
    const model = summarizing(script, { contextTokens: 3000 })
    const options = { ...common, model, journal }
    await collectEvents({ ...options, prompt: 'Look around.' })
    expect(await keysOf(journal)).toEqual(['compact/6'])
    const long = 'and there, '.repeat(400)
    await collectEvents({ ...options, prompt: `Look here, ${long}`, resume: true })
    expect((await keysOf(journal)).filter((key) => !key.endsWith('/summary'))).toEqual([
      'compact/6',
      'compact/6/1',
    ])
    const { end } = await collectEvents({ ...options, prompt: 'What is there?', resume: true })
    expect(end.text).toBe('Here you are.')
    expect(printed(model.turns().at(-1)!)).toMatch(/Look here, and there[^]*What is there\?$/)
    for (const sent of model.sent) expect(estimateMessageTokens(sent)).toBeLessThanOrEqual(3000)
  })

  test('is read in every later turn, despite any number of failures', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('look', 'look', 'gone', 'full', 'answer'), { maxLength: 24 }),
        fc.constantFrom(2000, 3000, undefined),
        async (steps, contextTokens) => {
          const journal = memoryJournal()
          const script = steps.map((step, at): Scripted => {
            if (step === 'look') return looks(`place ${at}`)[0]!
            return step === 'gone' ? gone : step === 'full' ? full : 'Answered.'
          })
          const model = summarizing(script, contextTokens === undefined ? {} : { contextTokens })
          let prompt = ''
          for (let number = 0; number < 8; number++) {
            prompt = `Question ${number}!`
            const before = model.turns().length
            const { end } = await collectEvents({
              ...common,
              model,
              journal,
              prompt,
              ...(number > 0 && { resume: true }),
            })
            const asked = model.turns().slice(before)
            for (const sent of asked) expect(printed(sent)).toContain(prompt)
            expect(asked.length + (end.reason === 'context_overflow' ? 1 : 0)).toBeGreaterThan(0)
          }
        },
      ),
      runs(100),
    )
  }, 60_000)
})

describe('the last turn without tools', () => {
  const limits = { maxIterations: 6 }

  test('fits in the context, and the history is unchanged', async () => {
    const journal = memoryJournal()
    const three = looks('f', 'g', 'h').join('\n')
    const script = [...looks('a', 'b', 'c', 'd', 'e'), three, 'This is what I saw.', 'More.']
    const model = summarizing(script, { contextTokens: 2000 })
    const options = { ...common, model, journal, limits }
    const { end } = await collectEvents({ ...options, prompt: 'Look around.' })
    expect(end).toMatchObject({ reason: 'max_iterations', text: 'This is what I saw.' })
    expect(await keysOf(journal)).toContain('compact/final-0')
    const last = printed(model.turns().at(-1)!)
    expect(last).toMatch(/Look around\.[^]*You can no longer call tools\./)
    for (const sent of model.sent) expect(estimateMessageTokens(sent)).toBeLessThanOrEqual(1600)
    const next = await collectEvents({ ...options, prompt: 'And now?', resume: true })
    expect(next.end).toMatchObject({ reason: 'answer', text: 'More.' })
    expect(next.end.usage.input).toBeGreaterThan(end.usage.input)
  })

  test('is requested again if the server reports that the prompt is too long', async () => {
    const script = [...looks('a', 'b', 'c', 'd', 'e', 'f'), full, 'This is what I saw.']
    const model = summarizing(script)
    const { end } = await collectEvents({ ...common, model, limits, prompt: 'Look around.' })
    expect(end).toMatchObject({ reason: 'max_iterations', text: 'This is what I saw.' })
    const [long, short] = model.turns().slice(-2)
    expect(estimateMessageTokens(short!)).toBeLessThan(estimateMessageTokens(long!) * 0.7)
  })
})

test('a result truncated to save space can be read with the tool in its notice', async () => {
  const model = summarizing(
    [
      ...looks('a', 'b', 'c', 'd', 'e', 'f'),
      ({ messages }) => {
        const [, args] = /ReadMore with (\{"call":.*?\}) shows it/.exec(printed(messages))!
        return call('ReadMore', JSON.parse(args!) as object)
      },
      'Read.',
    ],
    { contextTokens: 3000 },
  )
  const { of, end } = await collectEvents({ ...common, model, prompt: 'Look around.' })
  expect(end.text).toBe('Read.')
  expect(of('tool-end').at(-1)).toMatchObject({ name: 'ReadMore', outcome: { status: 'success' } })
})
