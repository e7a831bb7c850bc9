import { textOf } from '@toolglot/agent/internal'
import { scriptedModel } from '@toolglot/agent/testing'
import type { ProtocolId } from '@toolglot/core'
import { expect, test } from 'vitest'
import { gatewayWith } from '../../../test/gateway-client.ts'

const path = '/v1/messages'
const base = { model: 'any', max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }] }
const clock = { name: 'clock', input_schema: { type: 'object' } }

/** Sends a request to a scripted model. Returns the model's input and the answer. */
async function ask(body: object, reply = 'Yes.', protocol: ProtocolId = 'hermes') {
  const model = scriptedModel([reply], { roles: ['system'] })
  const response = await gatewayWith({ model, protocol }).send(path, {
    ...base,
    ...body,
  })
  const prompt = model.requests[0]?.messages.map(
    ({ role, content }) => [role, textOf(content)] as const,
  )
  return { response, prompt: prompt ?? [], answer: (await response.json()) as Answer }
}

interface Answer {
  readonly content: readonly { readonly type: string }[]
  readonly error: { readonly details: object }
}

test('refuses a thread with the code that makes the SDK resend all messages', async () => {
  const { response, answer } = await ask({ thread: { type: 'create' } })
  expect(response.status).toBe(400)
  expect(answer.error.details).toEqual({ error_code: 'thread_unsupported_request' })
})

test("merges instructions, without Claude Code's accounting, and later ones", async () => {
  const { response, prompt } = await ask({
    system: [
      { type: 'text', text: 'x-anthropic-billing-header: cc_version=2; cch=1;' },
      { type: 'text', text: 'One.', cache_control: { type: 'ephemeral' } },
    ],
    messages: [
      { role: 'user', content: 'Hi' },
      { role: 'system', content: 'Two.' },
    ],
  })
  expect(prompt).toHaveLength(2)
  expect(prompt[0]).toEqual(['system', 'One.'])
  expect(prompt[1]?.[1]).toMatch(/Hi[^]*Two\./)
  expect(response.headers.get('x-toolglot-notes')).toBe('dropped:billing-header')
})

test("puts results before the user's text, and marks failures", async () => {
  const request = {
    tools: [clock],
    messages: [
      { role: 'user', content: 'Hi' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm.', signature: 'x' },
          { type: 'text', text: 'A look.' },
          { type: 'tool_use', id: 'a', name: 'clock', input: { zone: 'UTC' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'And now?' },
          {
            type: 'tool_result',
            tool_use_id: 'a',
            is_error: true,
            content: [{ type: 'text', text: 'It stands still.' }],
          },
        ],
      },
    ],
  }
  const { prompt } = await ask(request, 'Yes.', 'tool-call')
  const [, , reply, results] = prompt.map(([, content]) => content)
  expect(reply).toMatch(/^A look\.[^]*"clock"[^]*"UTC"/)
  expect(reply).not.toContain('Hm.')
  expect(results).toMatch(/error[^]*It stands still\.[^]*And now\?/i)
})

test.each([
  [{ type: 'enabled', budget_tokens: 1024 }, ['thinking', 'text']],
  [{ type: 'adaptive' }, ['thinking', 'text']],
  [{ type: 'disabled' }, ['text']],
  [null, ['text']],
])('thinking %j: the blocks are %j', async (thinking, types) => {
  const { answer } = await ask({ thinking }, '<think>\nHm.\n</think>\nYes.')
  expect(answer.content.map(({ type }) => type)).toEqual(types)
})

test.each([
  [{ type: 'any' }, 502, 'tool_choice_unmet'],
  [{ type: 'tool', name: 'clock' }, 502, 'tool_choice_unmet'],
  [{ type: 'tool', name: 'missing' }, 400, 'invalid_request'],
])('tool_choice %j without a call', async (choice, status, code) => {
  const model = scriptedModel(['No.', 'No.'])
  const client = gatewayWith({ model, protocol: 'hermes' })
  const response = await client.send(path, { ...base, tools: [clock], tool_choice: choice })
  expect(response.status).toBe(status)
  expect(await response.json()).toMatchObject({ error: { details: { error_code: code } } })
})

test('count_tokens also counts requests that do not fit: the client decides', async () => {
  const model = { ...scriptedModel([]), contextTokens: 100 }
  const client = gatewayWith({ model, protocol: 'hermes' })
  const messages = [{ role: 'user', content: 'word '.repeat(1000) }]
  const response = await client.send('/v1/messages/count_tokens', { ...base, messages })
  expect(response.status).toBe(200)
  const { input_tokens: tokens } = (await response.json()) as { input_tokens: number }
  expect(tokens).toBeGreaterThan(500)
})

test('count_tokens grows with the request, and is not counted as usage', async () => {
  const client = gatewayWith({ model: scriptedModel([]), protocol: 'hermes' })
  const counts: number[] = []
  for (const tools of [[], [clock]]) {
    const response = await client.send('/v1/messages/count_tokens', { ...base, tools })
    counts.push(((await response.json()) as { input_tokens: number }).input_tokens)
  }
  expect(counts[1]).toBeGreaterThan(counts[0]!)
  expect(client.reports).toMatchObject([{ outcome: 'answer' }, { outcome: 'answer' }])
  expect(client.reports.every(({ usage }) => usage === undefined)).toBe(true)
})
