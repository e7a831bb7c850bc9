import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import { protocols } from '@toolglot/core'
import { openingText, openingThought } from '../../packages/server/test/conversation.ts'
import { checkedFetch } from './checked-fetch.ts'
import { kinds, names, startGateway } from './gateway.ts'
import { prompt, type Notes, startNotes, totalUsage, wrappedTools } from './notes.ts'
import { share } from '../helpers/size.ts'

const gateway = await startGateway()

describe.each(share(Object.keys(kinds), 2))('openai with a model that is %s', (kind) => {
  test('runTools, streaming', async () => {
    const notes = startNotes()
    const checked = checkedFetch()
    const client = clientWith(checked.fetch)
    const runner = client.chat.completions.runTools({
      ...requestOf(kind, notes),
      stream: true,
      stream_options: { include_usage: true },
    })
    let text = ''
    let reasoning = ''
    const indexes: number[] = []
    runner.on('chunk', ({ choices: [choice] }) => {
      const delta: { content?: string | null; reasoning_content?: string } = choice?.delta ?? {}
      text += delta.content ?? ''
      reasoning += delta.reasoning_content ?? ''
      for (const { index, id } of choice?.delta.tool_calls ?? []) if (id) indexes.push(index)
    })
    const answer = await runner.finalContent()
    checked.expectValid()
    notes.expectAll(answer)
    expect(text.trim()).toBe(`${openingText}${answer}`)
    expect(reasoning.trim()).toBe(kind === 'printed' ? '' : openingThought)
    expect(indexes).toEqual([0, 0, 1])
    expectRounds(runner.allChatCompletions())
    expect(await runner.totalUsage()).toMatchObject(totalUsage)
  })

  test('runTools, not streaming', async () => {
    const notes = startNotes()
    const client = clientWith(fetch)
    const runner = client.chat.completions.runTools({ ...requestOf(kind, notes), stream: false })
    notes.expectAll(await runner.finalContent())
    const [first] = runner.allChatCompletions()
    expectRounds(runner.allChatCompletions())
    expect(first?.choices[0]?.message).toMatchObject({
      content: openingText,
      ...(kind !== 'printed' && { reasoning_content: openingThought }),
    })
    expect(await runner.totalUsage()).toMatchObject(totalUsage)
  })
})

test.each(share(Object.keys(protocols), 16))(
  'openai with a text-only model that writes %s',
  async (id) => {
    const notes = startNotes()
    const checked = checkedFetch()
    const runner = clientWith(checked.fetch).chat.completions.runTools({
      ...requestOf(id, notes),
      stream: true,
      stream_options: { include_usage: true },
    })
    notes.expectAll(await runner.finalContent())
    checked.expectValid()
    expectRounds(runner.allChatCompletions())
  },
)

test('instructions anywhere in the conversation become one system message', async () => {
  const before = gateway.upstream.requests.length
  await clientWith(fetch).chat.completions.create({
    model: 'any order',
    tools: wrappedTools,
    messages: [
      { role: 'developer', content: 'Instruction one.' },
      { role: 'developer', content: [{ type: 'text', text: 'Instruction two.' }] },
      { role: 'user', content: [{ type: 'text', text: prompt }] },
      { role: 'system', content: 'Instruction three.' },
    ],
  })
  const { body } = gateway.upstream.requests[before]!
  expect(body.messages.map(({ role }) => role)).toEqual(['system', 'user'])
  const texts = body.messages.map(({ content }) => String(content))
  expect(texts[0]).toMatch(/Instruction one\.[^]*Instruction two\./)
  expect(texts.join('\n')).toContain('Instruction three.')
})

test('a client that disconnects stops the model', async () => {
  const stream = await clientWith(fetch).chat.completions.create({
    model: 'endless',
    messages: [{ role: 'user', content: prompt }],
    stream: true,
  })
  for await (const chunk of stream) {
    expect(chunk.choices[0]?.delta.role).toBe('assistant')
    break
  }
  await gateway.upstream.abandoned(1)
})

test('the list of models', async () => {
  const { data } = await clientWith(fetch).models.list()
  expect(data.map(({ id }) => id)).toEqual(names())
})

test('an error has its status, code and message', async () => {
  const { chat } = clientWith(fetch)
  const asked = chat.completions.create({
    model: 'missing',
    messages: [{ role: 'user', content: 'x' }],
  })
  await expect(asked).rejects.toMatchObject({ status: 404, code: 'model_not_found' })
})

test('a wrong key', async () => {
  const client = new OpenAI({ baseURL: gateway.url, apiKey: 'wrong', maxRetries: 0 })
  await expect(client.models.list()).rejects.toMatchObject({ status: 401 })
})

function clientWith(fetchToUse: typeof fetch): OpenAI {
  return new OpenAI(gateway.clientOptions(fetchToUse))
}

function requestOf(model: string, notes: Notes) {
  return {
    model,
    messages: [{ role: 'user' as const, content: prompt }],
    tools: wrappedTools.map(({ type, function: definition }) => ({
      type,
      function: {
        ...definition,
        description: definition.description ?? '',
        parse: (text: string) => JSON.parse(text) as object,
        function: (args: object) => notes.run(definition.name, args),
      },
    })),
  }
}

function expectRounds(completions: readonly OpenAI.ChatCompletion[]): void {
  const choices = completions.map(({ choices: [choice] }) => choice!)
  expect(choices.map((choice) => choice.finish_reason)).toEqual([
    'tool_calls',
    'tool_calls',
    'stop',
  ])
  const calls = choices.flatMap(({ message }) => message.tool_calls ?? [])
  expect(new Set(calls.map(({ id }) => id)).size).toBe(3)
}
