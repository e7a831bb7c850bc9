import { expect, test } from 'vitest'
import type { ChatMessage } from '../model/chat-message.ts'
import { createTokenCounter } from './counter.ts'

const messages: ChatMessage[] = [
  { role: 'user', content: 'How many words are these, and how many tokens?' },
  { role: 'assistant', content: '', calls: [{ id: 'a', name: 'count', args: { text: 'these' } }] },
  { role: 'tool', call: 'a', content: 'nine' },
]
const { signal } = new AbortController()

test('without a tokenizer it is a guess, and says so', async () => {
  const counter = createTokenCounter()
  const { tokens, estimated } = await counter.count(messages, signal)
  expect(estimated).toBe(true)
  expect(tokens).toBe(counter.estimate(messages))
  expect(tokens).toBeGreaterThan(counter.estimate(messages.slice(0, 1)))
})

test('it learns from what the server counted', () => {
  const counter = createTokenCounter()
  const before = counter.estimate(messages)
  counter.learn(messages, { input: 2 * before, output: 1 })
  expect(counter.estimate(messages)).toBe(2 * before)
  counter.learn(messages, { input: 7 * before, output: 1, estimated: true })
  counter.learn(messages, { input: 0, output: 1 })
  expect(counter.estimate(messages)).toBe(2 * before)
  counter.learn(messages, { input: 1000 * before, output: 1 })
  expect(counter.estimate(messages)).toBe(4 * before)
})

test("the model's own count is no guess, and each message is counted once", async () => {
  const asked: string[] = []
  const counter = createTokenCounter({
    countTokens: async (text) => {
      asked.push(text)
      return text.length
    },
  })
  const count = await counter.count(messages, signal)
  expect(count).toEqual({
    tokens: messages[0]!.content.length + asked[1]!.length + 'nine'.length + 3 * 4,
  })
  expect(asked[1]).toContain('"text":"these"')
  await counter.count(messages, signal)
  expect(asked).toHaveLength(3)
})

test('a tokenizer that fails leaves the guess', async () => {
  const counter = createTokenCounter({ countTokens: () => Promise.reject(new Error('404')) })
  expect(await counter.count(messages, signal)).toEqual({
    tokens: counter.estimate(messages),
    estimated: true,
  })
})
