import { canonicalJson } from '@toolglot/permissions/internal'
import { describe, expect, test } from 'vitest'
import { bombs, endlessSchemas, nastySchemas } from '../../../core/test/nasty-schemas.ts'
import { scripted } from '../../../agent/test/scripted.ts'
import { gatewayWith } from '../../test/gateway-client.ts'

const call = '<tool_call>{"name": "f", "arguments": {"a": 1, "p0": "x"}}</tool_call>'
const client = gatewayWith({ model: scripted(Array.from({ length: 2000 }, () => call)) })
const ask = { role: 'user', content: 'x' }

/** A request with a tool for each API, and one that requires JSON. */
const requests: readonly [name: string, path: string, body: (schema: object) => object][] = [
  [
    'a tool in chat completions',
    '/v1/chat/completions',
    (parameters) => ({
      messages: [ask],
      tools: [{ type: 'function', function: { name: 'f', parameters, strict: true } }],
    }),
  ],
  [
    'a format in chat completions',
    '/v1/chat/completions',
    (schema) => ({
      messages: [ask],
      response_format: { type: 'json_schema', json_schema: { name: 'f', schema } },
    }),
  ],
  [
    'a tool in Responses',
    '/v1/responses',
    (parameters) => ({
      input: 'x',
      tools: [{ type: 'function', name: 'f', parameters, strict: true }],
    }),
  ],
  [
    'a format in Responses',
    '/v1/responses',
    (schema) => ({ input: 'x', text: { format: { type: 'json_schema', name: 'f', schema } } }),
  ],
  [
    'a tool in Messages',
    '/v1/messages',
    (input_schema) => ({
      max_tokens: 100,
      messages: [ask],
      tools: [{ name: 'f', input_schema, strict: true }],
    }),
  ],
]

describe.each(requests)('%s', (_, path, body) => {
  const send = async (schema: object): Promise<{ status: number; message: string }> => {
    const text = canonicalJson({ model: 'fake', ...body(schema) })
    const response = await client.send(path, text)
    const { error } = (await response.json()) as { error?: { message: string } }
    return { status: response.status, message: error?.message ?? '' }
  }

  test.each(Object.entries(bombs))(
    'references that double are refused by name: %s',
    async (_name, schema) => {
      const { status, message } = await send(schema)
      expect([status, message]).toEqual([400, expect.stringContaining('its references multiply')])
    },
  )

  test.each(Object.entries(endlessSchemas))(
    'endless references are refused by name: %s',
    async (_name, schema) => {
      const { status, message } = await send(schema)
      // In tools, invalid names and anchors are also refused.
      expect([status, message]).toEqual([
        400,
        expect.stringMatching(/refers to itself|must be a reference|too large/),
      ])
    },
  )

  test.each(nastySchemas)('%s is answered or refused', async (_name, schema) => {
    const { status, message } = await send(schema)
    expect([200, 400, 422, 502], message).toContain(status)
    if (status === 400) expect(message).not.toBe('')
  })
})

test('the schemas of many tools are counted together', async () => {
  const properties = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`p${at}`, {}]))
  const tools = Array.from({ length: 5 }, (_, at) => ({
    type: 'function',
    function: { name: `f${at}`, parameters: { type: 'object', properties } },
  }))
  const response = await client.chat({ model: 'fake', messages: [ask], tools })
  expect(response.status).toBe(400)
  expect(await response.text()).toContain('too large')
})
