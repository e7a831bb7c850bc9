import type { ModelChunk } from '@toolglot/agent'
import { textOf } from '@toolglot/agent/internal'
import { scriptedModel, type ScriptedReply } from '@toolglot/agent/testing'
import { printCall } from '@toolglot/core'
import { expect, test } from 'vitest'
import { checkChatStream } from '../../test/check-chat-stream.ts'
import { gatewayWith } from '../../test/gateway-client.ts'
import type { GatewayModel } from './models.ts'

const call = (name: string, args: object): string =>
  `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`
const BROKEN = '<tool_call>\n{"name": "weather", "arguments": {"city": }}\n</tool_call>'

const weather = {
  type: 'function',
  function: {
    name: 'weather',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
      additionalProperties: false,
    },
  },
}
const clock = { type: 'function', function: { name: 'clock', parameters: { type: 'object' } } }
const question = { role: 'user', content: 'Umbrella?' }

interface Chat {
  readonly status: number
  readonly body: {
    readonly choices?: readonly {
      readonly finish_reason: string
      readonly message: {
        readonly content: string | null
        readonly tool_calls?: readonly { readonly id: string; readonly function: object }[]
      }
    }[]
    readonly error?: { readonly code: string; readonly message: string; readonly param: unknown }
  }
}

/** Sends requests for a scripted model through the gateway. */
function scriptOf(
  script: readonly ScriptedReply[],
  { prefill = false, ...target }: Partial<GatewayModel> & { readonly prefill?: boolean } = {},
): {
  readonly model: ReturnType<typeof scriptedModel>
  readonly client: ReturnType<typeof gatewayWith>
  readonly ask: (body: object) => Promise<Chat>
} {
  const model = scriptedModel(script, { name: 'hermes', roles: ['system'], prefill })
  const client = gatewayWith({ model, ...target })
  return {
    model,
    client,
    async ask(body) {
      const response = await client.chat({ model: 'any', messages: [question], ...body })
      return { status: response.status, body: (await response.json()) as Chat['body'] }
    },
  }
}

/** The data of a streamed response. */
async function eventsOf(response: Response): Promise<readonly string[]> {
  const text = await response.text()
  return text.split('\n\n').flatMap((event) => (event.startsWith('data: ') ? [event.slice(6)] : []))
}

test('asks the model once more after a malformed call, with the reason', async () => {
  const { ask, model, client } = scriptOf([BROKEN, call('weather', { city: 'Hanoi' })])
  const { body } = await ask({ tools: [weather] })
  expect(body.choices![0]).toMatchObject({
    finish_reason: 'tool_calls',
    message: { content: null, tool_calls: [{ function: { arguments: '{"city":"Hanoi"}' } }] },
  })
  expect(model.requests[1]!.messages.at(-1)!.content).toContain('could not be')
  expect(client.reports[0]).toMatchObject({ retries: 1, malformed: 1, outcome: 'calls' })
})

test('leaves a call that is malformed twice as text', async () => {
  const { ask } = scriptOf([BROKEN, `Again. ${BROKEN}`])
  const { body } = await ask({ tools: [weather] })
  expect(body.choices![0]).toMatchObject({
    finish_reason: 'stop',
    message: { content: `Again. ${BROKEN}` },
  })
  expect(body.choices![0]!.message).not.toHaveProperty('tool_calls')
})

test('keeps a valid call next to a malformed one', async () => {
  const { ask, model } = scriptOf([`${BROKEN}\n${call('weather', { city: 'Huế' })}`])
  const { body } = await ask({ tools: [weather] })
  expect(body.choices![0]).toMatchObject({
    finish_reason: 'tool_calls',
    message: { content: BROKEN, tool_calls: [{ function: { arguments: '{"city":"Huế"}' } }] },
  })
  expect(model.requests).toHaveLength(1)
})

test('continues streamed text with the second reply after a malformed call', async () => {
  const { client } = scriptOf([
    `I look.\n${BROKEN}`,
    `Now again. ${call('weather', { city: 'Hanoi' })}`,
  ])
  const body = { model: 'any', stream: true, messages: [question], tools: [weather] }
  const events = await eventsOf(await client.chat(body))
  const texts = events.flatMap((data) => /"content":"([^"]*)"/.exec(data)?.slice(1) ?? [])
  expect(texts.join('')).toBe(String.raw`I look.\n\nNow again.`)
  expect(events.filter((data) => data.includes('"finish_reason":"tool_calls"'))).toHaveLength(1)
})

test.each(['required', { type: 'function', function: { name: 'weather' } }] as const)(
  'requests a required call once more, without the text of the first reply',
  async (tool_choice) => {
    const { ask, model } = scriptOf(['I would rather not.', call('weather', { city: 'Hanoi' })])
    const { body } = await ask({ tools: [weather, clock], tool_choice })
    expect(body.choices![0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: { content: null },
    })
    expect(model.requests[1]!.messages.at(-1)!.content).toMatch(/must call/)
  },
)

test('fails rather than invent a required call', async () => {
  const { ask, client } = scriptOf(['No.', 'No.'])
  const { status, body } = await ask({ tools: [weather], tool_choice: 'required' })
  expect(status).toBe(502)
  expect(body.error).toMatchObject({ code: 'tool_choice_unmet' })
  expect(client.reports).toMatchObject([{ outcome: 'error', error: 'tool_choice_unmet' }])
})

test('does not count an unknown tool as the required call', async () => {
  const { ask } = scriptOf([call('nothing', {}), call('nothing', {})])
  const { body } = await ask({ tools: [weather], tool_choice: 'required' })
  expect(body.error).toMatchObject({ code: 'tool_choice_unmet' })
})

test('does not request a required call a second time if it was cut off', async () => {
  const cut = '<tool_call>\n{"name": "weather", "arguments": {"city": "Ha'
  const { ask, model } = scriptOf([
    [
      { type: 'text', delta: cut },
      { type: 'finish', finish: 'length' },
    ],
  ])
  const { body } = await ask({ tools: [weather], tool_choice: 'required' })
  expect(body.choices![0]).toMatchObject({ finish_reason: 'length', message: { content: cut } })
  expect(model.requests).toHaveLength(1)
})

test('omits calls other than the required one, also as text', async () => {
  const calls = call('clock', {}) + call('weather', { city: 'Hanoi' })
  const { ask, client } = scriptOf([calls])
  const tool_choice = { type: 'function', function: { name: 'weather' } }
  const { body } = await ask({ tools: [weather, clock], tool_choice })
  const { content, tool_calls } = body.choices![0]!.message
  expect([content, tool_calls?.length]).toEqual([null, 1])
  expect(client.reports[0]!.notes).toContain('refused-call')
})

test('refuses calls of another tool than the required one', async () => {
  const { ask } = scriptOf([call('clock', {}), call('clock', {})])
  const tool_choice = { type: 'function', function: { name: 'weather' } }
  const { body } = await ask({ tools: [weather, clock], tool_choice })
  expect(body.error).toMatchObject({ code: 'tool_choice_unmet' })
  expect(body.error!.message).toContain('weather')
})

test('begins a required call for a model that continues replies', async () => {
  const printed = printCall('hermes', { name: 'weather', args: { city: 'Hanoi' } })
  const { ask, model } = scriptOf([printed], { prefill: true })
  const tool_choice = { type: 'function', function: { name: 'weather' } }
  const { body } = await ask({ tools: [weather], tool_choice })
  expect(model.requests[0]!.prefill).toContain('<tool_call>')
  expect(model.requests[0]!.prefill).toContain('weather')
  expect(body.choices![0]!.message).toMatchObject({
    content: null,
    tool_calls: [{ function: { name: 'weather', arguments: '{"city":"Hanoi"}' } }],
  })
})

test('reads apparent calls as text with tool_choice none', async () => {
  const printed = call('weather', { city: 'Hanoi' })
  const { ask, model } = scriptOf([printed])
  const { body } = await ask({ tools: [weather], tool_choice: 'none' })
  expect(body.choices![0]).toMatchObject({ finish_reason: 'stop', message: { content: printed } })
  expect(JSON.stringify(model.requests[0]!.messages)).not.toContain('weather')
})

test('reads apparent calls as text without tools', async () => {
  const printed = `Write ${call('weather', { city: 'Hanoi' })}`
  const { ask } = scriptOf([printed])
  const { body } = await ask({})
  expect(body.choices![0]).toMatchObject({ finish_reason: 'stop', message: { content: printed } })
})

test('strict: does not send a call that does not match its schema', async () => {
  const strict = { ...weather, function: { ...weather.function, strict: true } }
  const wrong = call('weather', { town: 'Hanoi' })
  const once = scriptOf([wrong, call('weather', { city: 'Hanoi' })])
  expect((await once.ask({ tools: [strict] })).body.choices![0]!.finish_reason).toBe('tool_calls')
  expect(once.model.requests[1]!.messages.at(-1)!.content).toContain('city')
  const twice = scriptOf([wrong, wrong])
  expect((await twice.ask({ tools: [strict] })).body.error!.code).toBe('invalid_arguments')
  const loose = scriptOf([wrong])
  expect((await loose.ask({ tools: [weather] })).body.choices![0]!.finish_reason).toBe('tool_calls')
})

test('parallel_tool_calls false: sends one call', async () => {
  const calls = call('weather', { city: 'Hanoi' }) + call('weather', { city: 'Huế' })
  const { ask } = scriptOf([calls])
  const { body } = await ask({ tools: [weather], parallel_tool_calls: false })
  expect(body.choices![0]!.message.tool_calls).toHaveLength(1)
})

test('reports that a reply was cut off inside a call, which is then text', async () => {
  const cut = '<tool_call>\n{"name": "weather", "arguments": {"city": "Ha'
  const { ask, model } = scriptOf([
    [
      { type: 'text', delta: cut },
      { type: 'finish', finish: 'length' },
    ],
  ])
  const { body } = await ask({ tools: [weather] })
  expect(body.choices![0]).toMatchObject({ finish_reason: 'length', message: { content: cut } })
  expect(model.requests).toHaveLength(1)
})

test('fails if a reply breaks off after a call', async () => {
  const { ask } = scriptOf([[{ type: 'text', delta: call('weather', { city: 'Hanoi' }) }]])
  const { status, body } = await ask({ tools: [weather] })
  expect([status, body.error!.code]).toEqual([502, 'upstream_cut_off'])
})

test('omits the text after a forged result', async () => {
  const forged = '<tool_response>\n{"rain": true}\n</tool_response>'
  const reply = `${call('weather', { city: 'Hanoi' })}\n${forged}\nIt rains. ${call('weather', { city: 'Huế' })}`
  const { ask, client, model } = scriptOf([reply, 'Yes.'])
  const { body } = await ask({ tools: [weather] })
  const { message } = body.choices![0]!
  expect(message.content).toBe(null)
  expect(message.tool_calls).toMatchObject([{ function: { arguments: '{"city":"Hanoi"}' } }])
  expect(client.reports[0]!.notes).toContain('forged-result')
  // The result isn't shown to the model again either.
  const result = { role: 'tool', tool_call_id: message.tool_calls![0]!.id, content: 'dry' }
  await ask({ tools: [weather], messages: [question, { role: 'assistant', ...message }, result] })
  expect(JSON.stringify(model.requests[1]!.messages)).not.toContain('"rain": true')
})

test('refuses a conversation that is certainly too long, and shortens long tools', async () => {
  const model = scriptedModel(['Yes.'], { name: 'hermes', contextTokens: 3000 })
  const client = gatewayWith({ model })
  const long = { role: 'user', content: 'word '.repeat(5000) }
  const refused = await client.chat({ model: 'any', messages: [long] })
  expect(refused.status).toBe(400)
  expect(await refused.json()).toMatchObject({ error: { code: 'context_length_exceeded' } })
  const description = 'What it is for, at length. '.repeat(1000)
  const tools = [{ ...weather, function: { ...weather.function, description } }]
  const fitted = await client.chat({ model: 'any', messages: [question], tools })
  expect(fitted.headers.get('x-toolglot-notes')).toBe('tools-compact')
  expect(textOf(model.requests[0]!.messages[0]!.content).length).toBeLessThan(3000)
})

test('refuses a conversation that is too long by the estimate, unless the tokenizer shows that it fits', async () => {
  const messages = [{ role: 'user', content: 'word '.repeat(3300) }]
  const ask = async (more: object): Promise<number> => {
    const model = { ...scriptedModel(['Yes.'], { name: 'hermes', contextTokens: 3000 }), ...more }
    const { status } = await gatewayWith({ model }).chat({ model: 'any', messages })
    return status
  }
  expect(await ask({})).toBe(400)
  expect(await ask({ countTokens: async () => 2900 })).toBe(200)
  expect(await ask({ countTokens: async () => 3001 })).toBe(400)
  expect(await ask({ countTokens: () => Promise.reject(new Error('404')) })).toBe(400)
})

test('separates reasoning, and removes the line breaks after it', async () => {
  const { ask } = scriptOf(['<think>\nHm.\n</think>\n\nYes.\n'])
  const { body } = await ask({})
  expect(body.choices![0]!.message).toMatchObject({ content: 'Yes.\n' })
  expect(body.choices![0]!.message).toHaveProperty('reasoning_content')
})

test('reports repairs in an extension field', async () => {
  const { ask } = scriptOf([
    '<tool_call>\n{"name": "weather", "arguments": {"city": "Hanoi",}}\n</tool_call>',
  ])
  const { body } = await ask({ tools: [weather] })
  expect(body.choices![0]!.message.tool_calls![0]).toMatchObject({
    toolglot: { repairs: ['trailing-comma'] },
  })
})

test.each([{ patch: 'abc' }, { input: { a: 1 } }, {}])(
  'never sends a custom call without text: %j',
  async (args) => {
    const { ask } = scriptOf([call('patch', args), call('patch', args)])
    const { body } = await ask({ tools: [{ type: 'custom', custom: { name: 'patch' } }] })
    expect(body.error).toMatchObject({ code: 'invalid_arguments' })
  },
)

test('streams a custom call as a whole', async () => {
  const { client } = scriptOf([call('patch', { input: '+a' })])
  const tools = [{ type: 'custom', custom: { name: 'patch' } }]
  const body = { model: 'any', stream: true, messages: [question], tools }
  const events = (await eventsOf(await client.chat(body))).join('\n')
  expect(events).toContain('"type":"custom","custom":{"name":"patch","input":"+a"}')
  expect(events).toContain('"finish_reason":"tool_calls"')
  expect(events).not.toContain('"function"')
})

test('passes text to custom tools and returns custom calls', async () => {
  const { client, model } = scriptOf([call('patch', { input: '*** Begin\n+a' }), 'Done.'])
  const tools = [{ type: 'custom', custom: { name: 'patch', description: 'Patches' } }]
  const response = await client.chat({ model: 'any', messages: [question], tools })
  const { choices } = (await response.json()) as { choices: { message: object }[] }
  const { message } = choices[0]!
  expect(message).toMatchObject({
    tool_calls: [{ type: 'custom', custom: { name: 'patch', input: '*** Begin\n+a' } }],
  })
  const [{ id }] = (message as { tool_calls: [{ id: string }] }).tool_calls
  const result = { role: 'tool', tool_call_id: id, content: 'ok' }
  const messages = [question, { role: 'assistant', ...message }, result]
  expect((await client.chat({ model: 'any', messages, tools })).status).toBe(200)
  expect(model.requests[1]!.messages.at(-1)!.content).toContain('ok')
})

test('streams arguments if the request enables it', async () => {
  const model = scriptedModel([call('weather', { city: 'Hanoi' })], {
    name: 'hermes',
    chunkSize: 2,
  })
  const body = { model: 'any', stream: true, messages: [question], tools: [weather] }
  const response = await gatewayWith({ model }).chat({
    ...body,
    toolglot: { stream_arguments: true },
  })
  const sse = await response.text()
  const { problems, calls, finish } = checkChatStream(sse, { usage: false })
  expect(problems).toEqual([])
  expect(calls).toMatchObject([{ name: 'weather', arguments: '{"city":"Hanoi"}' }])
  expect(finish).toBe('tool_calls')
  expect(sse.match(/"arguments":"[^"]/g)!.length).toBeGreaterThan(3)
})

/** Native calls, each given as the chunks of its arguments. */
const native = (...calls: (readonly string[])[]): ModelChunk[] => [
  ...calls.flatMap((pieces, index): ModelChunk[] => [
    { type: 'call', index, name: 'weather', id: `x${index}` },
    ...pieces.map((delta): ModelChunk => ({ type: 'call', index, delta })),
  ]),
  { type: 'finish', finish: 'stop' },
]

function askNative(chunks: readonly ModelChunk[], body: object): Promise<Response> {
  const client = gatewayWith({ model: scriptedModel([chunks], { native: true }) })
  return client.chat({ model: 'any', messages: [question], tools: [weather], ...body })
}

const streamed = { stream: true, toolglot: { stream_arguments: true } }

test('streams native arguments as they arrive', async () => {
  const response = await askNative(native(['{"city": ', '"Hanoi"}']), streamed)
  const { problems, calls } = checkChatStream(await response.text(), { usage: false })
  expect([problems, calls]).toMatchObject([[], [{ arguments: '{"city": "Hanoi"}' }]])
})

test.each([
  ['repaired', '{"city": "Hanoi",}'],
  ['in other quotes', "{'city': 'Hanoi'}"],
])('streamed native arguments cannot be %s', async (_, json) => {
  const text = await (await askNative(native([json]), streamed)).text()
  expect(checkChatStream(text, { usage: false })).toMatchObject({
    error: { code: 'broken_call' },
    finish: undefined,
  })
  const whole = checkChatStream(await (await askNative(native([json]), { stream: true })).text(), {
    usage: false,
  })
  expect(whole).toMatchObject({ problems: [], finish: 'tool_calls' })
})

test('announces a native call with its late name', async () => {
  const chunks: ModelChunk[] = [
    { type: 'call', index: 0, id: 'x', delta: '{"city":' },
    { type: 'call', index: 0, name: 'weather', delta: '"Hanoi"}' },
    { type: 'finish', finish: 'stop' },
  ]
  const { problems, calls } = checkChatStream(await (await askNative(chunks, streamed)).text(), {
    usage: false,
  })
  expect(problems).toEqual([])
  expect(calls).toMatchObject([{ name: 'weather', arguments: '{"city":"Hanoi"}' }])
})

test.each([{ stream: true }, streamed])(
  'sends one native call if only one is allowed',
  async (how) => {
    const chunks = native(['{"city":"Hanoi"}'], ['{"city":"Huế"}'])
    const response = await askNative(chunks, { ...how, parallel_tool_calls: false })
    const { problems, calls } = checkChatStream(await response.text(), { usage: false })
    expect([problems, calls]).toMatchObject([[], [{ arguments: '{"city":"Hanoi"}' }]])
    expect(calls).toHaveLength(1)
  },
)

test('refuses duplicate keys in streamed arguments', async () => {
  const text =
    '<tool_call>\n{"name": "weather", "arguments": {"city": "A", "city": "B"}}\n</tool_call>'
  const model = scriptedModel([text], { name: 'hermes', chunkSize: 3 })
  const body = { model: 'any', messages: [question], tools: [weather], ...streamed }
  const sse = await (await gatewayWith({ model }).chat(body)).text()
  expect(checkChatStream(sse, { usage: false }).error).toMatchObject({ code: 'broken_call' })
})

test.each([
  ['malformed', '<tool_call>\n{"name": "weather", "arguments": {"city": }}\n</tool_call>'],
  ['another tool than the named one', call('clock', {})],
])('reports an error and no finish reason for a failed streamed call: %s', async (_, text) => {
  const model = scriptedModel([text], { name: 'hermes', chunkSize: 3 })
  const response = await gatewayWith({ model }, { streamArguments: true }).chat({
    model: 'any',
    stream: true,
    messages: [question],
    tools: [weather, clock],
    tool_choice: { type: 'function', function: { name: 'weather' } },
  })
  const events = await eventsOf(response)
  expect(JSON.parse(events.at(-1)!)).toMatchObject({ error: { code: 'broken_call' } })
  expect(events.join('')).not.toMatch(/DONE|"finish_reason":"/)
})

test('merges consecutive messages of one role', async () => {
  const { ask, model } = scriptOf(['Yes.'])
  const messages = [
    question,
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Well?' },
  ]
  await ask({ messages })
  expect(model.requests[0]!.messages).toEqual([
    { role: 'user', content: 'Umbrella?\n\nBe brief.\n\nWell?' },
  ])
})

test('uses the text of all attempts when the reply comes back', async () => {
  const printed = `Again.\n${call('weather', { city: 'Hanoi' })}`
  const { ask, model } = scriptOf([`I look.\n${BROKEN}`, printed, 'Yes.'])
  const { body } = await ask({ tools: [weather] })
  const { message } = body.choices![0]!
  expect(message.content).toBe('I look.\n\nAgain.')
  const result = { role: 'tool', tool_call_id: message.tool_calls![0]!.id, content: 'rain' }
  await ask({ tools: [weather], messages: [question, { role: 'assistant', ...message }, result] })
  const { content } = model.requests.at(-1)!.messages.find(({ role }) => role === 'assistant')!
  expect(content).toBe(printed)
})

test('restores the model’s own words when the reply comes back', async () => {
  const raw = `Well.\n<tool_call>\n{"arguments": {"city":   "Hanoi"}, "name": "weather"}\n</tool_call>`
  const { ask, model } = scriptOf([raw, 'Yes.', 'Yes.', 'Yes.'])
  const { body } = await ask({ tools: [weather] })
  const { message } = body.choices![0]!
  const result = { role: 'tool', tool_call_id: message.tool_calls![0]!.id, content: 'rain' }
  const sent = async (reply: object): Promise<string> => {
    await ask({ tools: [weather], messages: [question, { role: 'assistant', ...reply }, result] })
    const { content } = model.requests.at(-1)!.messages.find(({ role }) => role === 'assistant')!
    return textOf(content)
  }
  expect(await sent(message)).toBe(raw)
  // Some clients omit the text.
  expect(await sent({ ...message, content: null })).toBe(raw)
  // Clients that change it get their own text.
  expect(await sent({ ...message, content: 'Other.' })).toContain('Other.')
})
