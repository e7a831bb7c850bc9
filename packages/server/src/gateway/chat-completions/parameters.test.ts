import { scriptedModel } from '@toolglot/agent/testing'
import { expect, test } from 'vitest'
import { gatewayWith } from '../../../test/gateway-client.ts'
import type { Treatment } from '../parameter.ts'
import { chatParameters } from './parameters.ts'

const tools = [{ type: 'function', function: { name: 'clock', parameters: { type: 'object' } } }]

/** A value for each parameter in the table, and its effect on the request to the model. */
const values: Readonly<Record<string, readonly [value: unknown, sent?: object]>> = {
  max_tokens: [7, { maxTokens: 7 }],
  max_completion_tokens: [7, { maxTokens: 7 }],
  temperature: [0.5, { temperature: 0.5 }],
  top_p: [0.5, { topP: 0.5 }],
  seed: [3, { seed: 3 }],
  top_k: [20, { body: { top_k: 20 } }],
  min_p: [0.1, { body: { min_p: 0.1 } }],
  presence_penalty: [0.1, { body: { presence_penalty: 0.1 } }],
  frequency_penalty: [0.1, { body: { frequency_penalty: 0.1 } }],
  repetition_penalty: [1.1, { body: { repetition_penalty: 1.1 } }],
  response_format: [{ type: 'json_object' }, { responseFormat: { type: 'json' } }],
  n: [2],
  modalities: [['audio']],
  functions: [[]],
  function_call: ['auto'],
}

const rows = (treatment: Treatment): readonly string[] =>
  chatParameters.flatMap((each) => (each.treatment === treatment ? [each.name] : []))

async function ask(
  body: object,
): Promise<{ response: Response; request: object | undefined; code: string | undefined }> {
  const model = scriptedModel(['Yes.'])
  const client = gatewayWith({ model })
  const response = await client.chat({
    model: 'any',
    messages: [{ role: 'user', content: 'Hi' }],
    ...body,
  })
  const { error } = (await response.clone().json()) as { error?: { code: string } }
  return { response, request: model.requests[0], code: error?.code }
}

test.each(rows('pass'))('%s is passed', async (name) => {
  const [value, sent] = values[name]!
  const { request } = await ask({ [name]: value })
  expect(request).toMatchObject(sent!)
})

test.each(rows('ignore'))('%s is ignored', async (name) => {
  const { response, request } = await ask({ [name]: 'anything' })
  expect(response.status).toBe(200)
  expect(response.headers.get('x-toolglot-notes')).toBe(null)
  expect(JSON.stringify(request)).not.toContain('anything')
})

test.each([...rows('drop'), 'something_new'])(
  '%s is dropped, and the response reports that',
  async (name) => {
    const { response } = await ask({ [name]: 5 })
    expect(response.status).toBe(200)
    expect(response.headers.get('x-toolglot-notes')).toBe(`dropped:${name}`)
  },
)

test.each(rows('refuse'))('%s is refused by name', async (name) => {
  const { response, code } = await ask({ [name]: values[name]?.[0] ?? {} })
  expect([response.status, code]).toEqual([400, 'unsupported'])
  expect(await response.json()).toMatchObject({ error: { param: name } })
})

test('treats null as missing', async () => {
  const nothing = Object.fromEntries(
    chatParameters.flatMap(({ name }) => (/^(model|messages)$/.test(name) ? [] : [[name, null]])),
  )
  const { response } = await ask(nothing)
  expect(response.status).toBe(200)
  expect(response.headers.get('x-toolglot-notes')).toBe(null)
})

test('a response format is dropped if tools are offered', async () => {
  const { response, request } = await ask({ tools, response_format: { type: 'json_object' } })
  expect(response.headers.get('x-toolglot-notes')).toBe('dropped:response_format')
  expect(request).not.toHaveProperty('responseFormat')
})

test.each<readonly unknown[]>([
  ['temperature', 'warm'],
  ['temperature', 3],
  ['max_tokens', 0],
  ['max_tokens', 1.5],
  ['seed', -2],
  ['stop', [1]],
  ['stream', 'yes'],
  ['tool_choice', 'required'],
  ['tool_choice', { type: 'function', function: { name: 'missing' } }],
  ['tool_choice', { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools } }],
  ['tools', {}],
  ['tools', [{ type: 'function' }]],
  ['tools', [{ type: 'mystery' }]],
  ['tools', [{ type: 'local_shell' }]],
  ['tools', [{ type: 'function', function: { name: 'two words' } }]],
  ['tools', [...tools, ...tools]],
  ['messages', 'Hi'],
  ['messages', []],
  ['messages', [{ role: 'system', content: 'Be brief' }]],
  ['messages', [{ role: 'robot', content: 'Hi' }]],
  ['messages', [{ role: 'user', content: [{ type: 'input_audio' }] }]],
  ['messages', [{ role: 'user', content: 5 }]],
  ...['file:///etc/passwd', 'http://169.254.169.254/', 'data:text/html,x'].map((url) => [
    'messages',
    [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }],
  ]),
  ['messages', [{ role: 'tool', content: 'x' }]],
  ['model', 5],
  ['toolglot', { other: true }],
  ['response_format', { type: 'xml' }],
])('an invalid %s is refused: %j', async (name, value) => {
  const { response, code } = await ask({ [String(name)]: value })
  expect(response.status).toBe(400)
  expect(['invalid_request', 'unsupported']).toContain(code)
})
