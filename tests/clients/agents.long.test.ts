import {
  Agent,
  OpenAIChatCompletionsModel,
  OpenAIResponsesModel,
  run,
  type RunItem,
  setTracingDisabled,
  tool,
} from '@openai/agents'
import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import { conversationTools, openingText } from '../../packages/server/test/conversation.ts'
import { checkedFetch } from './checked-fetch.ts'
import { kinds, startGateway } from './gateway.ts'
import { prompt, type Notes, startNotes, totalUsage } from './notes.ts'

setTracingDisabled(true)
const gateway = await startGateway()

const apis = {
  'chat completions': OpenAIChatCompletionsModel,
  responses: OpenAIResponsesModel,
}
type ApiName = keyof typeof apis

const cases = (Object.keys(apis) as ApiName[]).flatMap((api) =>
  Object.keys(kinds).map((kind) => [api, kind] as const),
)

describe.each(cases)('OpenAI Agents over %s with a model that is %s', (api, kind) => {
  test('run, streaming', async () => {
    const notes = startNotes()
    const checked = checkedFetch()
    const result = await run(agentOf(api, kind, notes, checked.fetch), prompt, { stream: true })
    let text = ''
    for await (const piece of result.toTextStream()) text += piece
    await result.completed
    checked.expectValid()
    notes.expectAll(result.finalOutput)
    expect(text).toContain(openingText)
    expectItems(result.newItems)
    expect(result.state.usage).toMatchObject(usage)
  })

  test('run, not streaming', async () => {
    const notes = startNotes()
    const result = await run(agentOf(api, kind, notes, fetch), prompt)
    notes.expectAll(result.finalOutput)
    expectItems(result.newItems)
    expect(result.state.usage).toMatchObject(usage)
  })
})

const usage = {
  requests: 3,
  inputTokens: totalUsage.prompt_tokens,
  outputTokens: totalUsage.completion_tokens,
}

function agentOf(api: ApiName, name: string, notes: Notes, fetchToUse: typeof fetch) {
  const client = new OpenAI(gateway.clientOptions(fetchToUse))
  return new Agent({
    name: 'Reader',
    instructions: 'Be brief.',
    model: new apis[api](client, name),
    tools: conversationTools.map(({ name: toolName, description = '', parameters }) =>
      tool({
        name: toolName,
        description,
        parameters: parameters as never,
        execute: (args: unknown) => notes.run(toolName, args),
      }),
    ),
  })
}

function expectItems(items: readonly RunItem[]): void {
  // Only the Responses API shows reasoning.
  const types = items.map(({ type }) => type).filter((type) => type !== 'reasoning_item')
  expect(types).toEqual([
    'message_output_item',
    'tool_call_item',
    'tool_call_output_item',
    'tool_call_item',
    'tool_call_item',
    'tool_call_output_item',
    'tool_call_output_item',
    'message_output_item',
  ])
  const ids = items.flatMap(({ type, rawItem }) =>
    type === 'tool_call_item' && rawItem && 'callId' in rawItem ? [rawItem.callId] : [],
  )
  expect(new Set(ids).size).toBe(3)
}
