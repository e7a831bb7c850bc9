import { protocols } from '@toolglot/core'
import { describe, expect, test } from 'vitest'
import { apiClient } from '../../../test/api-client.ts'
import { listProtocols, previewPrompt, showProtocol } from './protocols.ts'

const tools = [
  {
    name: 'get_weather',
    description: 'Returns the weather',
    parameters: { type: 'object', properties: { city: { type: 'string' } } },
  },
  { type: 'function', function: { name: 'get_time' } },
]

describe('GET /api/protocols', () => {
  test('lists every built-in protocol with the same call', async () => {
    const { call } = await apiClient()
    const all = await call(listProtocols)
    expect(all.map(({ id }) => id)).toEqual(Object.keys(protocols))
    for (const { example } of all) expect(example).toContain('get_weather')
    expect(all.find(({ id }) => id === 'hermes')).toMatchObject({
      own: false,
      models: expect.arrayContaining([expect.any(String)]) as string[],
      example: expect.stringContaining('<tool_call>') as string,
    })
  })

  test("loads the user's own protocols only in a trusted folder, and reports their problems", async () => {
    const client = await apiClient({
      files: { 'mine.mjs': 'export default { id: "mine", about: "" }' },
      project: { protocols: ['./mine.mjs'] },
    })
    expect((await client.call(listProtocols)).some(({ own }) => own)).toBe(false)
    await client.trust()
    expect(await client.problem(listProtocols)).toMatchObject({
      code: 'unprocessable',
      detail: expect.stringContaining('mine.mjs') as string,
    })
  })

  test('shows calls, results and failures in a protocol', async () => {
    const { call } = await apiClient()
    const shown = await call(showProtocol, { parameters: { id: 'hermes' } })
    expect(shown).toMatchObject({ id: 'hermes', marked: true, own: false })
    expect(shown.exampleOfTwo.split('<tool_call>')).toHaveLength(3)
    expect(shown.exampleResult).toContain('clear')
    expect(shown.exampleError).toContain('No such city.')
  })

  test('can show every protocol', async () => {
    const { call } = await apiClient()
    for (const id of Object.keys(protocols)) {
      expect(await call(showProtocol, { parameters: { id } })).toMatchObject({ id })
    }
  })

  test.each([
    'nope',
    'auto',
    '__proto__',
    'constructor',
    '../../x.ts',
    './mine.mjs',
    '\u202e',
    'qwen3-8b',
  ])('404 for %j, with advice', async (id) => {
    const { problem } = await apiClient()
    for (const endpoint of [showProtocol, previewPrompt]) {
      expect(await problem(endpoint, { parameters: { id } })).toMatchObject({
        status: 404,
        code: 'not_found',
        action: expect.stringContaining('GET /api/protocols') as string,
      })
    }
  })
})

describe('POST /api/protocols/:id/prompt', () => {
  const parameters = { id: 'hermes' }

  test('describes the tools of the folder, with the number of tokens', async () => {
    const { call } = await apiClient()
    const preview = await call(previewPrompt, { parameters })
    expect(preview.tools).toContain('Bash')
    expect(preview.prompt).toContain('"Bash"')
    expect(preview.characters).toBe(preview.prompt.length)
    expect(preview.tokens).toBeGreaterThan(preview.characters / 10)
    expect(preview.tokens).toBeLessThan(preview.characters)
  })

  test('describes the selected or given tools', async () => {
    const { call } = await apiClient()
    const body = { call: { name: 'Read', arguments: { file_path: 'a.txt' } } }
    expect((await call(previewPrompt, { parameters, body })).call).toContain('"file_path": "a.txt"')
    const named = await call(previewPrompt, { parameters, body: { names: ['Read', 'Bash'] } })
    expect([...named.tools].sort()).toEqual(['Bash', 'Read'])
    const given = await call(previewPrompt, { parameters, body: { tools } })
    expect(given.tools).toEqual(['get_weather', 'get_time'])
    const one = await call(previewPrompt, { parameters, body: { tools, names: ['get_time'] } })
    expect(one.tools).toEqual(['get_time'])
    expect(one.prompt).not.toContain('get_weather')
  })

  test('every protocol describes tools with odd schemas, or reports that it cannot', async () => {
    const { send } = await apiClient()
    const odd = [
      { name: 'a', parameters: { type: 5, properties: 7, required: 'x' } },
      { name: 'b', parameters: { properties: { __proto__: null, x: null, y: { enum: {} } } } },
      { name: 'c', parameters: { type: 'object', properties: [], required: [{}] } },
    ]
    for (const id of Object.keys(protocols)) {
      const { status } = await send(previewPrompt, { parameters: { id }, body: { tools: odd } })
      expect([200, 422], id).toContain(status)
    }
  })

  test.each([
    { names: ['nope'] },
    { names: ['__proto__'] },
    { names: 'Read' },
    { tools: [{ description: 'no name' }] },
    { tools: [{ name: 'x', parameters: 'text' }] },
    { tools: {} },
    { tool: [] },
    [],
    'not JSON',
  ])('400 for %j', async (body) => {
    const { problem } = await apiClient()
    expect(await problem(previewPrompt, { parameters, body })).toMatchObject({ status: 400 })
  })
})
