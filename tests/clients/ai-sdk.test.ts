import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, jsonSchema, stepCountIs, streamText, tool, type ToolSet } from 'ai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  conversationTools,
  openingText,
  openingThought,
} from '../../packages/server/test/conversation.ts'
import { checkedFetch } from './checked-fetch.ts'
import { kinds, type RunningGateway, startGateway } from './gateway.ts'
import { prompt, type Notes, startNotes, totalUsage } from './notes.ts'

let gateway: RunningGateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.close())

describe.each(Object.keys(kinds))('the AI SDK with a model that is %s', (kind) => {
  test('streamText', async () => {
    const notes = startNotes()
    const checked = checkedFetch()
    const result = streamText(requestOf(kind, notes, checked.fetch))
    const parts: string[] = []
    for await (const part of result.fullStream) {
      if (part.type === 'error') throw part.error
      parts.push(part.type)
    }
    checked.expectValid()
    notes.expectAll(await result.text)
    expectSteps(kind, await result.steps)
    expect(await result.totalUsage).toMatchObject(usage)
    expect(parts.filter((type) => type === 'tool-call')).toHaveLength(3)
  })

  test('generateText', async () => {
    const notes = startNotes()
    const result = await generateText(requestOf(kind, notes, fetch))
    notes.expectAll(result.text)
    expectSteps(kind, result.steps)
    expect(result.totalUsage).toMatchObject(usage)
  })
})

const usage = {
  inputTokens: totalUsage.prompt_tokens,
  outputTokens: totalUsage.completion_tokens,
}

function requestOf(name: string, notes: Notes, fetchToUse: typeof fetch) {
  const provider = createOpenAICompatible({
    name: 'toolglot',
    baseURL: gateway.url,
    apiKey: gateway.token,
    fetch: fetchToUse,
    includeUsage: true,
  })
  return {
    model: provider(name),
    tools: toolsOf(notes),
    stopWhen: stepCountIs(5),
    maxRetries: 0,
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
