import {
  type AIMessage,
  type AIMessageChunk,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages'
import { ChatOpenAI } from '@langchain/openai'
import { describe, expect, test } from 'vitest'
import { openingText, openingThought } from '../../packages/server/test/conversation.ts'
import { checkedFetch } from './checked-fetch.ts'
import { kinds, startGateway } from './gateway.ts'
import { prompt, startNotes, totalUsage, wrappedTools } from './notes.ts'

const gateway = await startGateway()

describe.each(Object.keys(kinds))('LangChain with a model that is %s', (kind) => {
  test('stream', async () => {
    const checked = checkedFetch()
    const model = modelOf(kind, checked.fetch)
    await converse(kind, async (messages) => {
      let whole: AIMessageChunk | undefined
      for await (const chunk of await model.stream([...messages])) {
        whole = whole ? whole.concat(chunk) : chunk
      }
      return whole!
    })
    checked.expectValid()
  })

  test('invoke', async () => {
    const model = modelOf(kind, fetch)
    await converse(kind, (messages) => model.invoke([...messages]))
  })
})

function modelOf(model: string, fetchToUse: typeof fetch) {
  return new ChatOpenAI({
    model,
    apiKey: gateway.token,
    maxRetries: 0,
    configuration: { baseURL: gateway.url, fetch: fetchToUse },
  }).bindTools([...wrappedTools])
}

/** The loop around the model, written by hand. */
async function converse(
  kind: string,
  ask: (messages: readonly BaseMessage[]) => Promise<AIMessage | AIMessageChunk>,
): Promise<void> {
  const notes = startNotes()
  const messages: BaseMessage[] = [new SystemMessage('Be brief.'), new HumanMessage(prompt)]
  const replies: (AIMessage | AIMessageChunk)[] = []
  for (;;) {
    const reply = await ask(messages)
    replies.push(reply)
    messages.push(reply)
    const { tool_calls: calls = [] } = reply
    if (calls.length === 0) break
    for (const { id = '', name, args } of calls) {
      messages.push(new ToolMessage({ tool_call_id: id, content: notes.run(name, args) }))
    }
  }
  notes.expectAll(replies.at(-1)?.text)
  const [first] = replies
  expect(first?.text.trim()).toBe(openingText)
  const thought = first?.additional_kwargs['reasoning_content'] as string | undefined
  expect(thought?.trim() ?? '').toBe(kind === 'printed' ? '' : openingThought)
  expect(replies.map(({ response_metadata: { finish_reason: reason } }) => reason)).toEqual([
    'tool_calls',
    'tool_calls',
    'stop',
  ])
  const ids = replies.flatMap(({ tool_calls: calls = [] }) => calls.map(({ id }) => id))
  expect(new Set(ids).size).toBe(3)
  expect(replies.flatMap(({ invalid_tool_calls: calls = [] }) => calls)).toEqual([])
  const used = replies.map((reply) => inputTokensOf(reply))
  expect(used.reduce((one, other) => one + other)).toBe(totalUsage.prompt_tokens)
}

function inputTokensOf({
  usage_metadata: usage,
}: {
  usage_metadata?: { input_tokens: number } | undefined
}) {
  return usage?.input_tokens ?? 0
}
