import { expect, test } from 'vitest'
import type { ChatMessage } from './chat-message.ts'
import { createTokenCounter } from './token-counter.ts'
import type { Usage } from './usage.ts'

const messages: ChatMessage[] = [
  { role: 'user', content: 'How many words are these, and how many tokens?' },
  { role: 'assistant', content: '', calls: [{ id: 'a', name: 'count', args: { text: 'these' } }] },
  { role: 'tool', call: 'a', content: 'nine' },
]
const { signal } = new AbortController()

test('without a tokenizer, the count is marked as estimated', async () => {
  const counter = createTokenCounter()
  const { tokens, estimated } = await counter.count(messages, signal)
  expect(estimated).toBe(true)
  expect(tokens).toBe(counter.estimate(messages))
  expect(tokens).toBeGreaterThan(counter.estimate(messages.slice(0, 1)))
})

const long: ChatMessage[] = [...messages, { role: 'user', content: 'word '.repeat(600) }]

test('learns from the usage reported by the server', () => {
  const counter = createTokenCounter()
  const before = counter.estimate(long)
  counter.learn(long, { input: 2 * before, output: 1 })
  expect(counter.estimate(long)).toBe(2 * before)
  counter.learn(long, { input: 7 * before, output: 1, estimated: true })
  counter.learn(long, { input: 0, output: 1, cached: 0 })
  expect(counter.estimate(long)).toBe(2 * before)
  counter.learn(long, { input: 1000 * before, output: 1 })
  expect(counter.estimate(long)).toBe(4 * before)
})

test.each<[string, Omit<Usage, 'output'>, { prompt?: ChatMessage[]; beside?: number }]>([
  ['of new tokens only', { input: 30 }, {}],
  ['less than was estimated', { input: 500 }, {}],
  ['smaller than the number of cached tokens', { input: 30, cached: 600 }, {}],
  ['of a short prompt with the text added by its template', { input: 400 }, { prompt: messages }],
  ['with tools', { input: 1300 }, { beside: 700 }],
  [
    'of images',
    { input: 9000 },
    {
      prompt: [
        ...long,
        { role: 'user', content: [{ type: 'image', url: 'https://a.example/b.png' }] },
      ],
    },
  ],
])('a count %s is ignored', (_, usage, { prompt = long, beside = 0 }) => {
  const counter = createTokenCounter()
  counter.learn(prompt, { ...usage, output: 1 }, beside)
  expect(counter.ratio).toBe(1)
})

test('learns a smaller count only from a server that reports cached tokens', () => {
  const counter = createTokenCounter()
  const before = counter.estimate(long)
  counter.learn(long, { input: 2 * before, output: 1 })
  counter.learn(long, { input: before / 2, output: 1 })
  expect(counter.ratio).toBe(2)
  counter.learn(long, { input: before / 2, output: 1, cached: 100 })
  expect(counter.ratio).toBe(0.5)
})

test("the model's own count is not an estimate, and each message is counted once", async () => {
  const texts: string[] = []
  const counter = createTokenCounter({
    countTokens: async (text) => {
      texts.push(text)
      return text.length
    },
  })
  const count = await counter.count(messages, signal)
  expect(count).toEqual({
    tokens: messages[0]!.content.length + texts[1]!.length + 'nine'.length + 3 * 4,
  })
  expect(texts[1]).toContain('"text":"these"')
  await counter.count(messages, signal)
  expect(texts).toHaveLength(3)
})

test('if the tokenizer fails, the count is estimated', async () => {
  const counter = createTokenCounter({ countTokens: () => Promise.reject(new Error('404')) })
  expect(await counter.count(messages, signal)).toEqual({
    tokens: counter.estimate(messages),
    estimated: true,
  })
})

test('counts the same tokens for images of any size', async () => {
  const counter = createTokenCounter()
  const text = { type: 'text' as const, text: 'What is this?' }
  const of = (...urls: string[]): ChatMessage[] => [
    { role: 'user', content: [text, ...urls.map((url) => ({ type: 'image' as const, url }))] },
  ]
  const large = `data:image/png;base64,${'A'.repeat(1e6)}`
  const [none, one, two] = [of(), of(large), of(large, 'https://example.org/a.png')]
  expect(counter.estimate(one)).toBe(counter.estimate(none) + 1500)
  expect(counter.estimate(two)).toBe(counter.estimate(none) + 3000)
  const exact = createTokenCounter({ countTokens: async (given) => given.length })
  expect(await exact.count(none, signal)).toEqual({ tokens: text.text.length + 4 })
  for (let time = 0; time < 2; time++)
    expect(await exact.count(two, signal)).toEqual({
      tokens: text.text.length + 4 + 3000,
      estimated: true,
    })
})
