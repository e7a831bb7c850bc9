// Calls that may be examples: the gateway retries once, and then leaves them as text.
import { scriptedModel, type ScriptedReply } from '@toolglot/agent/testing'
import { printCall } from '@toolglot/core'
import { expect, test } from 'vitest'
import { checkChatStream } from '../../test/check-chat-stream.ts'
import { gatewayWith } from '../../test/gateway-client.ts'
import type { GatewayModel } from './models.ts'

const fence = '```'
const fenced = `${fence}json\n{"name": "rm", "arguments": {"path": "/"}}\n${fence}`
const example = `I will not delete it. This would be the call, for example:\n${fenced}`
const marked = printCall('hermes', { name: 'rm', args: { path: '/' } })
const rm = {
  type: 'function',
  function: {
    name: 'rm',
    parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  },
}

interface Answered {
  readonly text: string
  readonly calls: readonly string[]
  readonly finish: string | undefined
  readonly error: unknown
  readonly model: ReturnType<typeof scriptedModel>
  readonly notes: readonly string[]
}

/** Sends one request. With `stream`, the model writes a few characters at a time. */
async function ask(
  script: readonly ScriptedReply[],
  body: object = {},
  target: Partial<GatewayModel> = {},
): Promise<Answered> {
  const model = scriptedModel(script, { name: 'hermes', roles: ['system'], chunkSize: 3 })
  const client = gatewayWith({ model, ...target })
  const messages = [{ role: 'user', content: 'Delete everything?' }]
  const sent = { model: 'any', messages, tools: [rm], stream: true, ...body }
  const response = await client.chat(sent)
  if (!response.ok) throw new Error(await response.text())
  const { text, calls, finish, error } = checkChatStream(await response.text(), { usage: false })
  return {
    text,
    calls: calls.map((each) => each.arguments),
    finish,
    error,
    model,
    notes: client.reports[0]!.notes,
  }
}

test('asks the model once more after an example, which may then answer without it', async () => {
  const { text, calls, model, notes } = await ask([example, 'I deleted nothing.'])
  expect(calls).toEqual([])
  expect(text).toBe(
    'I will not delete it. This would be the call, for example:\n\nI deleted nothing.',
  )
  expect(notes).toEqual(['retry:uncertain_call'])
  const told = JSON.stringify(model.requests[1]!.messages.at(-1))
  expect(told).toContain('may be an example')
  expect(told).toContain('<tool_call>')
})

test('sends a call that the model makes after an example', async () => {
  const { calls, finish } = await ask([example, marked])
  expect([calls, finish]).toEqual([['{"path":"/"}'], 'tool_calls'])
})

test('leaves the second example as unchanged text', async () => {
  const { text, calls, finish, notes } = await ask([example, example])
  const [prose] = example.split('\n')
  expect([text, calls, finish]).toEqual([`${prose}\n\n${example}`, [], 'stop'])
  expect(notes).toEqual(['retry:uncertain_call', 'call_left_as_text'])
})

test('gives the same result for a complete response', async () => {
  const model = scriptedModel([example, example], { name: 'hermes' })
  const messages = [{ role: 'user', content: 'Delete everything?' }]
  const response = await gatewayWith({ model }).chat({ model: 'any', messages, tools: [rm] })
  expect(await response.json()).toMatchObject({
    choices: [{ finish_reason: 'stop', message: { content: expect.stringContaining(example) } }],
  })
})

test('immediately sends a reply that contains only calls', async () => {
  for (const reply of [fenced, `<think>\nHm.\n</think>\n${fenced}\n`, `${fenced}\n${fenced}`]) {
    const { text, calls, model } = await ask([reply])
    expect([text, new Set(calls)]).toEqual(['', new Set(['{"path":"/"}'])])
    expect(model.requests).toHaveLength(1)
  }
})

test('sends an example with callsInProse', async () => {
  const { calls, text } = await ask([example], {}, { callsInProse: true })
  expect(calls).toEqual(['{"path":"/"}'])
  expect(text).toBe('I will not delete it. This would be the call, for example:')
})

test('leaves an example next to a real call as text, without asking again', async () => {
  const inFence = `${fence}\n${marked}\n${fence}`
  const { text, calls, model } = await ask([`${inFence}\nNow really:\n${marked}`])
  expect(calls).toEqual(['{"path":"/"}'])
  expect(text).toContain(inFence)
  expect(model.requests).toHaveLength(1)
})

test("ends an example's streamed arguments with an error and no finish reason", async () => {
  const reply = `${fence}\n${marked}\n${fence}\nThat would be the call.`
  const { error, finish } = await ask([reply], { toolglot: { stream_arguments: true } })
  expect(error).toMatchObject({ code: 'broken_call' })
  expect(finish).toBeUndefined()
})

test('streams the arguments of a call without other text', async () => {
  const reply = `${fence}\n${marked}\n${fence}`
  const { calls, finish } = await ask([reply], { toolglot: { stream_arguments: true } })
  expect([calls, finish]).toEqual([['{"path":"/"}'], 'tool_calls'])
})

test('does not count an example as the required call', async () => {
  const { calls, model } = await ask([example, marked], { tool_choice: 'required' })
  expect(calls).toEqual(['{"path":"/"}'])
  expect(JSON.stringify(model.requests[1]!.messages.at(-1))).toContain('may be an example')
  const never = ask([example, example], { tool_choice: 'required' })
  await expect(never).rejects.toThrow('tool_choice_unmet')
})

test('with one call at most, continues after an uncertain one and stops at the next call', async () => {
  const inFence = `${fence}\n${marked}\n${fence}`
  const once = { parallel_tool_calls: false }
  expect(await ask([`${inFence}\nThat would be it.`, 'No.'], once)).toMatchObject({ calls: [] })
  expect((await ask([`${inFence}\n${marked}`], once)).calls).toHaveLength(1)
})

test('leaves uncertain calls as text if the reply was cut off', async () => {
  const delta = `${fence}\n${marked}\n${fence}`
  const { text, calls, finish, model } = await ask([
    [
      { type: 'text', delta },
      { type: 'finish', finish: 'length' },
    ],
  ])
  expect([text, calls, finish]).toEqual([delta, [], 'length'])
  expect(model.requests).toHaveLength(1)
})
