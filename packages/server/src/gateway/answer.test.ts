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

test('a call that cannot be read: the model is told why, and asked once more', async () => {
  const { ask, model, client } = scriptOf([BROKEN, call('weather', { city: 'Hanoi' })])
  const { body } = await ask({ tools: [weather] })
  expect(body.choices![0]).toMatchObject({
    finish_reason: 'tool_calls',
    message: { content: null, tool_calls: [{ function: { arguments: '{"city":"Hanoi"}' } }] },
  })
  expect(model.requests[1]!.messages.at(-1)!.content).toContain('could not be')
  expect(client.reports[0]).toMatchObject({ retries: 1, malformed: 1, outcome: 'calls' })
})

test('twice: the text is all there is, and nothing was called', async () => {
  const { ask } = scriptOf([BROKEN, `Again. ${BROKEN}`])
  const { body } = await ask({ tools: [weather] })
  expect(body.choices![0]).toMatchObject({
    finish_reason: 'stop',
    message: { content: `Again. ${BROKEN}` },
  })
  expect(body.choices![0]!.message).not.toHaveProperty('tool_calls')
})

test('one bad call does not take a good one with it', async () => {
  const { ask, model } = scriptOf([`${BROKEN}\n${call('weather', { city: 'Huế' })}`])
  const { body } = await ask({ tools: [weather] })
  expect(body.choices![0]).toMatchObject({
    finish_reason: 'tool_calls',
    message: { content: BROKEN, tool_calls: [{ function: { arguments: '{"city":"Huế"}' } }] },
  })
  expect(model.requests).toHaveLength(1)
})

test('text that was streamed before a broken call stays, and the second reply continues it', async () => {
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
  'a call that must be made: once more, and no text of the first reply',
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

test('never an invented call: the request fails if the model still calls nothing', async () => {
  const { ask, client } = scriptOf(['No.', 'No.'])
  const { status, body } = await ask({ tools: [weather], tool_choice: 'required' })
  expect(status).toBe(502)
  expect(body.error).toMatchObject({ code: 'tool_choice_unmet' })
  expect(client.reports).toMatchObject([{ outcome: 'error', error: 'tool_choice_unmet' }])
})

test('a tool that was not offered does not count as the required call', async () => {
  const { ask } = scriptOf([call('nothing', {}), call('nothing', {})])
  const { body } = await ask({ tools: [weather], tool_choice: 'required' })
  expect(body.error).toMatchObject({ code: 'tool_choice_unmet' })
})

test('a required call that was cut off is not asked for again', async () => {
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

test('a call beside the named one is left out, and is not text either', async () => {
  const calls = call('clock', {}) + call('weather', { city: 'Hanoi' })
  const { ask, client } = scriptOf([calls])
  const tool_choice = { type: 'function', function: { name: 'weather' } }
  const { body } = await ask({ tools: [weather, clock], tool_choice })
  const { content, tool_calls } = body.choices![0]!.message
  expect([content, tool_calls?.length]).toEqual([null, 1])
  expect(client.reports[0]!.notes).toContain('refused-call')
})

test('another tool than the named one is not called', async () => {
  const { ask } = scriptOf([call('clock', {}), call('clock', {})])
  const tool_choice = { type: 'function', function: { name: 'weather' } }
  const { body } = await ask({ tools: [weather, clock], tool_choice })
  expect(body.error).toMatchObject({ code: 'tool_choice_unmet' })
  expect(body.error!.message).toContain('weather')
})

test('a model that continues a reply: the call is begun for it', async () => {
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

test('tool_choice none: what looks like a call is text', async () => {
  const printed = call('weather', { city: 'Hanoi' })
  const { ask, model } = scriptOf([printed])
  const { body } = await ask({ tools: [weather], tool_choice: 'none' })
  expect(body.choices![0]).toMatchObject({ finish_reason: 'stop', message: { content: printed } })
  expect(JSON.stringify(model.requests[0]!.messages)).not.toContain('weather')
})

test('without tools, nothing is a call', async () => {
  const printed = `Write ${call('weather', { city: 'Hanoi' })}`
  const { ask } = scriptOf([printed])
  const { body } = await ask({})
  expect(body.choices![0]).toMatchObject({ finish_reason: 'stop', message: { content: printed } })
})

test('strict: a call that does not match its schema is not sent', async () => {
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

test('parallel_tool_calls false: one call', async () => {
  const calls = call('weather', { city: 'Hanoi' }) + call('weather', { city: 'Huế' })
  const { ask } = scriptOf([calls])
  const { body } = await ask({ tools: [weather], parallel_tool_calls: false })
  expect(body.choices![0]!.message.tool_calls).toHaveLength(1)
})

test('a reply that was cut inside a call: its end is true, and the call is text', async () => {
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

test('a reply that broke off after a call is an error', async () => {
  const { ask } = scriptOf([[{ type: 'text', delta: call('weather', { city: 'Hanoi' }) }]])
  const { status, body } = await ask({ tools: [weather] })
  expect([status, body.error!.code]).toEqual([502, 'upstream_cut_off'])
})

test('what a model makes of a result that it made up is left out', async () => {
  const forged = '<tool_response>\n{"rain": true}\n</tool_response>'
  const reply = `${call('weather', { city: 'Hanoi' })}\n${forged}\nIt rains. ${call('weather', { city: 'Huế' })}`
  const { ask, client, model } = scriptOf([reply, 'Yes.'])
  const { body } = await ask({ tools: [weather] })
  const { message } = body.choices![0]!
  expect(message.content).toBe(null)
  expect(message.tool_calls).toMatchObject([{ function: { arguments: '{"city":"Hanoi"}' } }])
  expect(client.reports[0]!.notes).toContain('forged-result')
  // It isn't shown to the model again either.
  const result = { role: 'tool', tool_call_id: message.tool_calls![0]!.id, content: 'dry' }
  await ask({ tools: [weather], messages: [question, { role: 'assistant', ...message }, result] })
  expect(JSON.stringify(model.requests[1]!.messages)).not.toContain('"rain": true')
})

test('a conversation that certainly does not fit is refused, and long tools are made to fit', async () => {
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

test('what does not fit by the estimate is refused, unless the tokenizer of the model says that it fits', async () => {
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

test('reasoning is apart, and the text does not begin with the line breaks after it', async () => {
  const { ask } = scriptOf(['<think>\nHm.\n</think>\n\nYes.\n'])
  const { body } = await ask({})
  expect(body.choices![0]!.message).toMatchObject({ content: 'Yes.\n' })
  expect(body.choices![0]!.message).toHaveProperty('reasoning_content')
})

test('repairs are in an extension field', async () => {
  const { ask } = scriptOf([
    '<tool_call>\n{"name": "weather", "arguments": {"city": "Hanoi",}}\n</tool_call>',
  ])
  const { body } = await ask({ tools: [weather] })
  expect(body.choices![0]!.message.tool_calls![0]).toMatchObject({
    toolglot: { repairs: ['trailing-comma'] },
  })
})

test.each([{ patch: 'abc' }, { input: { a: 1 } }, {}])(
  'a custom call without a text is never sent: %j',
  async (args) => {
    const { ask } = scriptOf([call('patch', args), call('patch', args)])
    const { body } = await ask({ tools: [{ type: 'custom', custom: { name: 'patch' } }] })
    expect(body.error).toMatchObject({ code: 'invalid_arguments' })
  },
)

test('a custom call is streamed whole', async () => {
  const { client } = scriptOf([call('patch', { input: '+a' })])
  const tools = [{ type: 'custom', custom: { name: 'patch' } }]
  const body = { model: 'any', stream: true, messages: [question], tools }
  const events = (await eventsOf(await client.chat(body))).join('\n')
  expect(events).toContain('"type":"custom","custom":{"name":"patch","input":"+a"}')
  expect(events).toContain('"finish_reason":"tool_calls"')
  expect(events).not.toContain('"function"')
})

test('custom tools take a text, and come back as custom calls', async () => {
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

test('arguments are streamed if the request asks for it', async () => {
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

test('native arguments are streamed as they come', async () => {
  const response = await askNative(native(['{"city": ', '"Hanoi"}']), streamed)
  const { problems, calls } = checkChatStream(await response.text(), { usage: false })
  expect([problems, calls]).toMatchObject([[], [{ arguments: '{"city": "Hanoi"}' }]])
})

test.each([
  ['repaired', '{"city": "Hanoi",}'],
  ['in other quotes', "{'city': 'Hanoi'}"],
])('native arguments that were streamed cannot be %s', async (_, json) => {
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

test('a native call whose name comes late is announced with it', async () => {
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

test.each([{ stream: true }, streamed])('one native call, if only one is wanted', async (how) => {
  const chunks = native(['{"city":"Hanoi"}'], ['{"city":"Huế"}'])
  const response = await askNative(chunks, { ...how, parallel_tool_calls: false })
  const { problems, calls } = checkChatStream(await response.text(), { usage: false })
  expect([problems, calls]).toMatchObject([[], [{ arguments: '{"city":"Hanoi"}' }]])
  expect(calls).toHaveLength(1)
})

test('streamed arguments with a key twice are not for a client to choose from', async () => {
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
])('a streamed call that breaks ends in an error without a finish: %s', async (_, text) => {
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

test('messages of one role that follow each other are merged, whoever sent them', async () => {
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

test('the text of all attempts is that of the reply that comes back', async () => {
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

test('a reply comes back in the model’s own words', async () => {
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
