import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import {
  conversationTools,
  openingText,
  openingThought,
} from '../../packages/server/test/conversation.ts'
import { checkedFetch } from './checked-fetch.ts'
import { kinds, startGateway } from './gateway.ts'
import { prompt, startNotes, totalUsage } from './notes.ts'
import { share } from '../helpers/size.ts'

type Response = OpenAI.Responses.Response
type Input = OpenAI.Responses.ResponseInput

const gateway = await startGateway()

describe.each(share(Object.keys(kinds), 2))(
  'openai over responses with a model that is %s',
  (kind) => {
    describe.each([
      ['previous_response_id', true],
      ['the whole conversation', false],
    ])('with %s', (_, isLinked) => {
      test('streaming', async () => {
        const checked = checkedFetch()
        const { responses } = clientWith(checked.fetch)
        await converse(kind, isLinked, (request) => responses.stream(request).finalResponse())
        checked.expectValid()
      })

      test('not streaming', async () => {
        const { responses } = clientWith(fetch)
        await converse(kind, isLinked, (request) => responses.create(request))
      })
    })
  },
)

test('a custom tool takes text', async () => {
  const { responses } = clientWith(fetch)
  const request = {
    model: 'patcher',
    tools: [{ type: 'custom' as const, name: 'apply_patch' }],
  }
  const first = await responses.stream({ ...request, input: prompt }).finalResponse()
  const call = first.output.find((item) => item.type === 'custom_tool_call')
  expect(call).toMatchObject({ name: 'apply_patch', input: '*** Begin Patch\n*** End Patch' })
  const last = await responses.create({
    ...request,
    previous_response_id: first.id,
    input: [{ type: 'custom_tool_call_output', call_id: call!.call_id, output: 'Patched.' }],
  })
  expect(last.output_text).toBe('I am a fake model. It said: Patched.')
})

test('an unknown previous_response_id', async () => {
  const { responses } = clientWith(fetch)
  const asked = responses.create({ model: 'native', input: 'x', previous_response_id: 'resp_x' })
  await expect(asked).rejects.toMatchObject({
    status: 400,
    code: 'previous_response_not_found',
    param: 'previous_response_id',
  })
})

test('a client that disconnects stops the model', async () => {
  const { responses } = clientWith(fetch)
  const stream = await responses.create({ model: 'endless', input: prompt, stream: true })
  for await (const { type } of stream) {
    expect(type).toBe('response.created')
    break
  }
  await gateway.upstream.abandoned(1)
})

function clientWith(fetchToUse: typeof fetch): OpenAI {
  return new OpenAI(gateway.clientOptions(fetchToUse))
}

const tools = conversationTools.map(({ name, description = '', parameters }) => ({
  type: 'function' as const,
  name,
  description,
  strict: true,
  parameters: { ...parameters },
}))

/** The loop around the model, written by hand. */
async function converse(
  model: string,
  isLinked: boolean,
  ask: (request: {
    model: string
    tools: typeof tools
    input: Input
    previous_response_id?: string
  }) => Promise<Response>,
): Promise<void> {
  const notes = startNotes()
  const replies: Response[] = []
  let input: Input = [{ role: 'user', content: prompt }]
  for (;;) {
    const previous = isLinked ? replies.at(-1)?.id : undefined
    const reply = await ask({
      model,
      tools,
      input,
      ...(previous !== undefined && { previous_response_id: previous }),
    })
    replies.push(reply)
    const results = reply.output.flatMap((item) =>
      item.type === 'function_call'
        ? [
            {
              type: 'function_call_output' as const,
              call_id: item.call_id,
              output: notes.run(item.name, JSON.parse(item.arguments)),
            },
          ]
        : [],
    )
    if (results.length === 0) break
    input = isLinked ? results : [...input, ...(reply.output as Input), ...results]
  }
  notes.expectAll(replies.at(-1)?.output_text)
  const [first] = replies
  expect(first?.output_text.trim()).toBe(openingText)
  const thoughts = first!.output.flatMap((item) =>
    item.type === 'reasoning' ? item.summary.map(({ text }) => text.trim()) : [],
  )
  expect(thoughts).toEqual(model === 'printed' ? [] : [openingThought])
  expect(replies.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed'])
  const ids = replies.flatMap(({ output }) =>
    output.flatMap((item) => (item.type === 'function_call' ? [item.call_id] : [])),
  )
  expect(new Set(ids).size).toBe(3)
  const used = replies.map(({ usage }) => usage!.input_tokens)
  expect(used.reduce((one, other) => one + other)).toBe(totalUsage.prompt_tokens)
}
