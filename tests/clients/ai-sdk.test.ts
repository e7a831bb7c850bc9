import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import {
  generateText,
  jsonSchema,
  type LanguageModel,
  stepCountIs,
  streamText,
  tool,
  type ToolSet,
} from 'ai'
import { describe, expect, test } from 'vitest'
import {
  conversationTools,
  openingText,
  openingThought,
} from '../../packages/server/test/conversation.ts'
import { checkedFetch } from './checked-fetch.ts'
import { kinds, startGateway } from './gateway.ts'
import { prompt, type Notes, startNotes, totalUsage } from './notes.ts'
import { share } from '../helpers/size.ts'

const gateway = await startGateway()

/** The options of a provider of the AI SDK. */
interface Connection {
  readonly baseURL: string
  readonly apiKey: string
  readonly fetch: typeof fetch
}

/** The providers of the AI SDK, by their API. */
const providers: Readonly<Record<string, (name: string, to: Connection) => LanguageModel>> = {
  'chat completions': (name, to) =>
    createOpenAICompatible({ ...to, name: 'toolglot', includeUsage: true })(name),
  responses: (name, to) => createOpenAI(to).responses(name),
  messages: (name, to) => createAnthropic(to)(name),
}

const cases = Object.keys(providers).flatMap((api) =>
  Object.keys(kinds).map((kind) => [api, kind] as const),
)

describe.each(share(cases, 4))('the AI SDK over %s with a model that is %s', (api, kind) => {
  test('streamText', async () => {
    const notes = startNotes()
    const checked = checkedFetch()
    const result = streamText(requestOf(api, kind, notes, checked.fetch))
    const parts: string[] = []
    for await (const part of result.fullStream) {
      if (part.type === 'error') throw part.error
      parts.push(part.type)
    }
    checked.expectValid()
    // By default, it only refers to previous answers.
    if (api === 'responses') expect(checked.requests.at(-1)).toContain('"item_reference"')
    notes.expectAll(await result.text)
    expectSteps(kind, await result.steps)
    expect(await result.totalUsage).toMatchObject(usage)
    expect(parts.filter((type) => type === 'tool-call')).toHaveLength(3)
  })

  test('generateText', async () => {
    const notes = startNotes()
    const result = await generateText(requestOf(api, kind, notes, fetch))
    notes.expectAll(result.text)
    expectSteps(kind, result.steps)
    expect(result.totalUsage).toMatchObject(usage)
  })
})

const usage = {
  inputTokens: totalUsage.prompt_tokens,
  outputTokens: totalUsage.completion_tokens,
}

function requestOf(api: string, name: string, notes: Notes, fetchToUse: typeof fetch) {
  const to = { baseURL: gateway.url, apiKey: gateway.token, fetch: fetchToUse }
  return {
    model: providers[api]!(name, to),
    providerOptions: { anthropic: { thinking: { type: 'adaptive' } } },
    tools: toolsOf(notes),
    stopWhen: stepCountIs(5),
    maxRetries: 0,
    maxOutputTokens: 4096,
    prompt,
  }
}

function toolsOf(notes: Notes): ToolSet {
  return Object.fromEntries(
    conversationTools.map(({ name, description = '', parameters = {} }) => [
      name,
      tool({
        description,
        inputSchema: jsonSchema(parameters),
        execute: (args: unknown) => notes.run(name, args),
      }),
    ]),
  )
}

function expectSteps(
  kind: string,
  steps: readonly {
    readonly text: string
    readonly reasoningText: string | undefined
    readonly finishReason: string
    readonly toolCalls: readonly { readonly toolCallId: string }[]
  }[],
): void {
  expect(steps.map(({ finishReason }) => finishReason)).toEqual([
    'tool-calls',
    'tool-calls',
    'stop',
  ])
  expect(steps[0]?.text.trim()).toBe(openingText)
  expect(steps[0]?.reasoningText?.trim()).toBe(kind === 'printed' ? undefined : openingThought)
  const ids = steps.flatMap(({ toolCalls }) => toolCalls.map(({ toolCallId }) => toolCallId))
  expect(new Set(ids).size).toBe(3)
}
