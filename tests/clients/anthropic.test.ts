import Anthropic from '@anthropic-ai/sdk'
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema'
import { describe, expect, test } from 'vitest'
import {
  conversationTools,
  openingText,
  openingThought,
} from '../../packages/server/test/conversation.ts'
import { checkedFetch } from './checked-fetch.ts'
import { kinds, startGateway } from './gateway.ts'
import { prompt, type Notes, startNotes, totalUsage } from './notes.ts'

const gateway = await startGateway()

describe.each(Object.keys(kinds))("Anthropic's SDK with a model that is %s", (kind) => {
  test.each([true, false])('the tool runner, streaming: %s', async (stream) => {
    const notes = startNotes()
    const checked = checkedFetch()
    const sent: { readonly thread?: unknown }[] = []
    const client = clientWith((input, init) => {
      sent.push(JSON.parse(init?.body as string) as object)
      return checked.fetch(input, init)
    })
    const runner = client.beta.messages.toolRunner({ ...requestOf(kind, notes), stream })
    const replies: Anthropic.Beta.BetaMessage[] = []
    for await (const reply of runner)
      replies.push('finalMessage' in reply ? await reply.finalMessage() : reply)
    // The client requests a thread, is refused, and then sends the whole conversation itself.
    expect(sent.map(({ thread }) => thread !== undefined)).toEqual([true, false, false, false])
    if (stream) checked.expectValid()
    notes.expectAll(textOf(replies.at(-1)!))
    expectRounds(kind, replies)
  })
})

test('count_tokens approximates the size of the prompt without a request to the model', async () => {
  const before = gateway.upstream.requests.length
  const { messages } = clientWith(fetch)
  const request = { model: 'native', messages: [{ role: 'user' as const, content: 'Hello' }] }
  const few = await messages.countTokens(request)
  const tools = conversationTools.map(({ name, parameters }) => ({
    name,
    input_schema: parameters as Anthropic.Tool.InputSchema,
  }))
  const many = await messages.countTokens({ ...request, tools })
  expect(few.input_tokens).toBeGreaterThan(0)
  expect(many.input_tokens).toBeGreaterThan(few.input_tokens + 50)
  expect(gateway.upstream.requests).toHaveLength(before)
})

test('a client that disconnects stops the model', async () => {
  const stream = clientWith(fetch).messages.stream({
    model: 'endless',
    max_tokens: 1000,
    messages: [{ role: 'user', content: prompt }],
  })
  for await (const { type } of stream) {
    expect(type).toBe('message_start')
    break
  }
  await gateway.upstream.abandoned(1)
})

test('an error has its status and type', async () => {
  const asked = clientWith(fetch).messages.create({
    model: 'missing',
    max_tokens: 10,
    messages: [{ role: 'user', content: 'x' }],
  })
  await expect(asked).rejects.toBeInstanceOf(Anthropic.NotFoundError)
})

test('a wrong key', async () => {
  const client = new Anthropic({ baseURL: base(), apiKey: 'wrong', maxRetries: 0 })
  const asked = client.messages.countTokens({ model: 'native', messages: [] })
  await expect(asked).rejects.toBeInstanceOf(Anthropic.AuthenticationError)
})

function base(): string {
  return new URL(gateway.url).origin
}

function clientWith(fetchToUse: typeof fetch): Anthropic {
  return new Anthropic({ ...gateway.clientOptions(fetchToUse), baseURL: base() })
}

function requestOf(model: string, notes: Notes) {
  return {
    model,
    max_tokens: 1000,
    thinking: { type: 'adaptive' as const },
    messages: [{ role: 'user' as const, content: prompt }],
    tools: conversationTools.map(({ name, description = '', parameters }) =>
      betaTool({
        name,
        description,
        inputSchema: parameters as { type: 'object' },
        run: (args: unknown) => notes.run(name, args),
      }),
    ),
  }
}

function expectRounds(kind: string, replies: readonly Anthropic.Beta.BetaMessage[]): void {
  expect(replies.map((reply) => reply.stop_reason)).toEqual(['tool_use', 'tool_use', 'end_turn'])
  expect(textOf(replies[0]!).trim()).toBe(openingText)
  const thoughts = replies[0]!.content.flatMap((block) =>
    block.type === 'thinking' ? [block.thinking] : [],
  )
  expect(thoughts.map((thought) => thought.trim())).toEqual(
    kind === 'printed' ? [] : [openingThought],
  )
  const ids = replies.flatMap(({ content }) =>
    content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : [])),
  )
  expect(new Set(ids).size).toBe(3)
  const used = replies.map(({ usage }) => usage.input_tokens)
  expect(used.reduce((one, other) => one + other)).toBe(totalUsage.prompt_tokens)
}

function textOf({ content }: Anthropic.Beta.BetaMessage): string {
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('')
}
