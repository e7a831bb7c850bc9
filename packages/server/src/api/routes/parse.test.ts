import { parse, printCalls, protocols } from '@toolglot/core'
import { describe, expect, test } from 'vitest'
import { apiClient } from '../../../test/api-client.ts'
import { parseReply } from './parse.ts'
import { showStatus } from './status.ts'

const call = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Hanoi"}}\n</tool_call>'

describe('POST /api/parse', () => {
  test('parses with all protocols, as the parser does', async () => {
    const { call: send } = await apiClient()
    const text = `<think>Hm</think>Let me look. ${call} and <tool_call>{"name": </tool_call>`
    const answer = await send(parseReply, { body: { text } })
    expect(answer.reply).toEqual(parse(text, { makeId: (index) => `call_${index + 1}` }))
    expect(answer).toMatchObject({
      protocols: 'auto',
      why: expect.stringContaining('all') as string,
    })
    expect(answer.reply.calls).toMatchObject([{ name: 'get_weather', args: { city: 'Hanoi' } }])
    expect(answer.reply.segments.map(({ type }) => type)).toContain('malformed')
    expect(answer).not.toHaveProperty('readings')
  })

  test('reads with the given protocols, or with that of a model', async () => {
    const { call: send } = await apiClient()
    const named = await send(parseReply, { body: { text: call, protocols: ['hermes', 'mistral'] } })
    expect(named).toMatchObject({ protocols: ['hermes', 'mistral'], why: 'you chose it' })
    expect(named.reply.calls).toHaveLength(1)
    const byModel = await send(parseReply, { body: { text: call, model: 'Qwen2.5-7B-Instruct' } })
    expect(byModel).toMatchObject({ protocols: ['hermes'], why: "'Qwen2.5-7B-Instruct' writes it" })
    const other = await send(parseReply, { body: { text: call, protocols: ['mistral'] } })
    expect(other.reply.calls).toEqual([])
  })

  test('does not repeat the text of a block for each of its calls', async () => {
    const { call: send } = await apiClient()
    const text = `<tool_call>${'{"name": "x", "arguments": {"a": 1,}}'.repeat(500)}</tool_call>`
    const answer = await send(parseReply, { body: { text, details: true } })
    expect(answer.reply.calls).toHaveLength(500)
    expect(JSON.stringify(answer).length).toBeLessThan(40 * text.length)
  })

  test('accepts tools, a prefix, the end, repairs and details', async () => {
    const { call: send } = await apiClient()
    const tools = [
      { name: 'get_weather', parameters: { properties: { city: { type: 'string' } } } },
    ]
    const body = (more: object): object => ({ body: { protocols: ['hermes'], tools, ...more } })
    const cut = call.slice(0, -30)
    const broken = await send(parseReply, body({ text: cut, finish: 'length' }))
    expect(broken.reply.calls).toMatchObject([{ complete: false }])
    const rest = await send(parseReply, body({ text: call.slice(12), prefix: call.slice(0, 12) }))
    expect(rest.reply.calls).toHaveLength(1)
    const thinking = await send(
      parseReply,
      body({ text: 'Hm</think>Yes', startsInReasoning: true }),
    )
    expect(thinking.reply).toMatchObject({ reasoning: 'Hm', text: 'Yes' })
    const damaged = call.replace('"Hanoi"}', "'Hanoi'}")
    expect((await send(parseReply, body({ text: damaged }))).reply.calls[0]?.repairs).not.toEqual(
      [],
    )
    const detailed = await send(parseReply, body({ text: damaged, details: true }))
    expect(detailed.reply.calls[0]?.details).toMatchObject([{ name: 'single-quotes' }])
    expect((await send(parseReply, body({ text: damaged, repairs: false }))).reply.calls).toEqual(
      [],
    )
  })

  test('accepts the tools of the folder', async () => {
    const { call: send } = await apiClient()
    const text = '```json\n{"name": "Read", "arguments": {"file_path": "a"}}\n```'
    const body = { text, protocols: ['mistral'] }
    expect((await send(parseReply, { body })).reply.calls).toEqual([])
    const { reply } = await send(parseReply, { body: { ...body, tools: 'folder' } })
    expect(reply.calls).toMatchObject([{ name: 'Read', otherProtocol: true }])
  })

  test('shows one entry for each distinct reading of the protocols', async () => {
    const { call: send } = await apiClient()
    const { readings = [], explanations = [] } = await send(parseReply, {
      body: { text: call, everyProtocol: true },
    })
    const ids = readings.flatMap((reading) => reading.protocols)
    expect([...ids].sort()).toEqual(Object.keys(protocols).sort())
    expect(readings.length).toBeGreaterThan(1)
    expect(readings.length).toBeLessThan(ids.length / 2)
    const hermes = readings.find((reading) => reading.protocols.includes('hermes'))!
    expect(hermes.reply.calls).toMatchObject([{ name: 'get_weather' }])
    expect(hermes.protocols.length).toBeGreaterThan(1)
    expect(explanations.map(({ protocol }) => protocol)).toEqual(Object.keys(protocols))
    expect(explanations.find(({ protocol }) => protocol === 'hermes')).toMatchObject({ calls: 1 })
  })

  test('an argument named like a field does not cause a second reading', async () => {
    const { call: send } = await apiClient()
    const one = printCalls(protocols.hermes, [{ name: 'a', args: { protocol: 'x' } }])
    const { readings = [] } = await send(parseReply, { body: { text: one, everyProtocol: true } })
    const hermes = readings.find((reading) => reading.protocols.includes('hermes'))!
    expect(hermes.reply.calls[0]?.args).toEqual({ protocol: 'x' })
  })

  test('lets other requests run while it reads, and stops when its client disconnects', async () => {
    const { send, call: ask, errors } = await apiClient()
    const text = `${call}\n`.repeat(800)
    const order: string[] = []
    const controller = new AbortController()
    const parsing = send(parseReply, {
      body: { text, everyProtocol: true },
      signal: controller.signal,
    }).then(({ status }) => order.push(`parsed ${status}`))
    await ask(showStatus).then(() => order.push('status'))
    controller.abort()
    await parsing
    expect(order).toEqual(['status', 'parsed 500'])
    expect(errors).toEqual([])
  })

  test.each([
    ['{"name":', 1 << 20],
    ['\n"\\', 1 << 20],
    ['<tool_call>', 1 << 16],
  ])('parses long replies, hostile or not: %j', async (unit, length) => {
    const { call: send } = await apiClient()
    const text = unit.repeat(Math.floor(length / unit.length))
    const { reply } = await send(parseReply, { body: { text } })
    expect(reply.segments.at(-1)?.span[1]).toBe(text.length)
  })

  test.each(['\ud800', '\u0000\u202e\u001b[31m', '', '__proto__', '<tool_call>{"__proto__": 1}'])(
    'parses %j as plain text',
    async (text) => {
      const { call: send } = await apiClient()
      const { reply } = await send(parseReply, { body: { text, everyProtocol: true } })
      expect(reply).toMatchObject({ text, calls: [] })
    },
  )

  test.each<[string, object]>([
    ['invalid_request', {}],
    ['invalid_request', { text: 1 }],
    ['invalid_request', { text: 'x', protocols: [] }],
    ['invalid_request', { text: 'x', protocols: ['hermes'], model: 'qwen' }],
    ['invalid_request', { text: 'x', finish: 'other' }],
    ['invalid_request', { text: 'x', tools: 'all' }],
    ['invalid_request', { text: 'x', everything: true }],
    ['invalid_request', { text: 'x'.repeat((1 << 20) + 1) }],
    ['invalid_request', { text: 'x'.repeat((1 << 16) + 1), everyProtocol: true }],
    ['unprocessable', { text: 'x', protocols: ['__proto__'] }],
    ['unprocessable', { text: 'x', protocols: ['./mine.mjs'] }],
    ['unprocessable', { text: 'x', model: '__proto__' }],
    ['folder_not_found', { text: 'x', folder: '/no/such/folder' }],
    ['body_too_large', { text: 'x'.repeat(5 << 20) }],
  ])('%s for bad input (%#)', async (code, body) => {
    const { problem } = await apiClient()
    expect(await problem(parseReply, { body })).toMatchObject({ code })
  })
})
