import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { apiClient } from '../../../test/api-client.ts'
import { changeSetting, listSettings, showSettingsSchema } from './settings.ts'

const fileIn = (home: string): string => join(home, '.config/toolglot/settings.json')
const read = (home: string): unknown => JSON.parse(readFileSync(fileIn(home), 'utf8'))

describe('GET /api/settings', () => {
  test('lists every value with its source, and if it is in effect', async () => {
    const client = await apiClient({
      settings: { model: 'ollama/mine', permissions: { mode: 'plan', allow: ['Read'] } },
      project: {
        model: 'ollama/theirs',
        permissions: { allow: ['Bash(npm:*)'], ask: ['WebFetch'] },
      },
    })
    const { call, folder, home } = client
    const user = { scope: 'user', file: fileIn(home) }
    const project = { scope: 'project', file: join(folder, '.toolglot/settings.json'), line: 1 }
    const before = await call(listSettings)
    expect(before).toMatchObject({
      folder,
      trust: 'untrusted',
      mode: 'plan',
      userFile: fileIn(home),
    })
    expect(before.values).toEqual([
      { key: 'model', value: 'ollama/theirs', counts: false, ...project },
      { key: 'permissions.ask', value: 'WebFetch', counts: true, ...project },
      { key: 'permissions.allow', value: 'Bash(npm:*)', counts: false, ...project },
      { key: 'model', value: 'ollama/mine', counts: true, ...user, line: 1 },
      { key: 'permissions.mode', value: 'plan', counts: true, ...user },
      { key: 'permissions.allow', value: 'Read', counts: true, ...user, line: 1 },
    ])
    expect(before.files).toMatchObject([
      { ...user, problems: [], warnings: [] },
      { scope: 'project', problems: [], warnings: [] },
    ])
    expect(before.keys).toContainEqual({
      key: 'permissions.mode',
      kind: 'text',
      about: expect.any(String) as string,
    })
    await client.trust()
    expect((await call(listSettings)).values.every(({ counts }) => counts)).toBe(true)
  })

  test('reports problems in a file with their positions', async () => {
    const { call, home } = await apiClient({ settings: {} })
    writeFileSync(fileIn(home), '{\n  "model": 5,\n  "nonsense": 1\n}')
    const { files } = await call(listSettings)
    const [file] = files
    expect([...file!.problems, ...file!.warnings]).toMatchObject([
      { file: fileIn(home), line: 2 },
      { file: fileIn(home), line: 3 },
    ])
  })

  test('shows no secret', async () => {
    const { send } = await apiClient({
      settings: {
        mcpServers: {
          one: { command: 'x', args: ['--token', 'abcdefghijklmnop'], env: { PIN: 'hush-hush' } },
          two: { url: 'https://example.com/mcp?k=in-the-query', headers: { A: 'sesame' } },
          three: { command: 'x', env: { TOKEN: '${MY_TOKEN}' } },
        },
      },
    })
    const text = await (await send(listSettings)).text()
    for (const secret of ['hush-hush', 'in-the-query', 'sesame']) expect(text).not.toContain(secret)
    expect(text).toContain('${MY_TOKEN}')
    expect(text).toContain('https://example.com/mcp')
  })

  test('returns the schema of the settings', async () => {
    const { call } = await apiClient()
    expect(await call(showSettingsSchema)).toMatchObject({
      type: 'object',
      properties: { model: {}, permissions: {} },
    })
  })
})

describe('PUT /api/settings', () => {
  test('refuses an invalid rule, because no tool would run until it is fixed', async () => {
    const { problem, call } = await apiClient()
    const input = { key: 'permissions.allow', value: ['Bash(ls)', 'Bash('] }
    expect(await problem(changeSetting, { body: input })).toMatchObject({
      code: 'unprocessable',
      detail: expect.stringContaining("'Bash('") as string,
    })
    await call(changeSetting, { body: { ...input, value: ['Bash(ls)', 'mcp__other__tool'] } })
  })

  test("changes the user's own settings, keeps comments, and removes values with null", async () => {
    const { call, home, folder } = await apiClient({ settings: {} })
    writeFileSync(fileIn(home), '{\n  // Mine\n  "model": "ollama/one"\n}\n')
    const body = { key: 'model', value: 'ollama/two' }
    expect(await call(changeSetting, { body })).toEqual({
      key: 'model',
      file: fileIn(home),
      values: [
        {
          key: 'model',
          value: 'ollama/two',
          counts: true,
          scope: 'user',
          file: fileIn(home),
          line: 3,
        },
      ],
    })
    expect(readFileSync(fileIn(home), 'utf8')).toBe('{\n  // Mine\n  "model": "ollama/two"\n}\n')
    expect((await call(changeSetting, { body: { key: 'model', value: null } })).values).toEqual([])
    expect(readFileSync(fileIn(home), 'utf8')).not.toContain('model')
    expect(existsSync(join(folder, '.toolglot'))).toBe(false)
  })

  test('changes lists, modes and objects', async () => {
    const { call, home } = await apiClient()
    await call(changeSetting, { body: { key: 'permissions.allow', value: ['Bash(npm test)'] } })
    await call(changeSetting, { body: { key: 'permissions.mode', value: 'acceptEdits' } })
    await call(changeSetting, { body: { key: 'paidProviders', value: ['openai'] } })
    expect(read(home)).toEqual({
      permissions: { allow: ['Bash(npm test)'], mode: 'acceptEdits' },
      paidProviders: ['openai'],
    })
    expect((await call(listSettings)).mode).toBe('acceptEdits')
  })

  test('keeps a secret in the file when another server is added, and refuses a new secret', async () => {
    const one = { command: 'x', env: { API_TOKEN: 'sk-abcdefghijklmnopqrstuvwx' } }
    const { call, problem, home } = await apiClient({ settings: { mcpServers: { one } } })
    const [shown] = (await call(listSettings)).values
    const add = (server: object) => ({
      body: { key: 'mcpServers', value: { ...(shown!.value as object), two: server } },
    })
    await call(changeSetting, add({ command: 'y' }))
    expect(read(home)).toEqual({ mcpServers: { one, two: { command: 'y' } } })
    const secret = { command: 'y', env: { API_TOKEN: 'sk-zyxwvutsrqponmlkjihgfedcba' } }
    expect(await problem(changeSetting, add(secret))).toMatchObject({
      detail: expect.stringContaining('looks like a secret') as string,
    })
  })

  test('keeps hidden values, and accepts their placeholder nowhere else', async () => {
    const one = { command: 'x', env: { PIN: 'hush-hush', MODE: 'fast' } }
    const two = { url: 'https://example.com/mcp?k=hidden-too' }
    const { call, problem, home } = await apiClient({ settings: { mcpServers: { one, two } } })
    const [shown] = (await call(listSettings)).values
    const value = shown!.value as Record<string, object>
    expect(value).toMatchObject({ one: { env: { PIN: '(hidden)' } } })
    await call(changeSetting, {
      body: { key: 'mcpServers', value: { ...value, one: { ...value['one'], disabled: true } } },
    })
    expect(read(home)).toEqual({ mcpServers: { one: { ...one, disabled: true }, two } })
    const moved = { other: value['one'] }
    expect(
      await problem(changeSetting, { body: { key: 'mcpServers', value: moved } }),
    ).toMatchObject({ code: 'invalid_request', action: expect.any(String) as string })
    expect(read(home)).toMatchObject({ mcpServers: { one } })
  })

  test.each<[string, object]>([
    ['invalid_request', {}],
    ['invalid_request', { key: 'model' }],
    ['invalid_request', { key: 'nonsense', value: 1 }],
    ['invalid_request', { key: '__proto__', value: {} }],
    ['invalid_request', { key: 'constructor.prototype', value: {} }],
    ['invalid_request', { key: 'permissions', value: {} }],
    ['invalid_request', { key: 'permissions.allow.0', value: 'Bash' }],
    ['invalid_request', { key: 'x'.repeat(201), value: 1 }],
    ['invalid_request', { key: 'model', value: 'x', folder: '/tmp' }],
    ['unprocessable', { key: 'model', value: 5 }],
    ['unprocessable', { key: 'model', value: 'sk-0123456789abcdefghijklmnop' }],
    ['unprocessable', { key: 'permissions.mode', value: 'yolo' }],
    ['unprocessable', { key: 'permissions.allow', value: [5] }],
    ['unprocessable', { key: 'mcpServers', value: { x: { command: 1 } } }],
  ])('%s for bad input (%#), and nothing is changed', async (code, body) => {
    const { problem, home } = await apiClient({ settings: { model: 'ollama/one' } })
    const detail = await problem(changeSetting, { body })
    expect(detail).toMatchObject({ code })
    expect(JSON.stringify(detail)).not.toContain('sk-0123')
    expect(read(home)).toEqual({ model: 'ollama/one' })
  })

  test('suggests the right spelling of a key', async () => {
    const { problem } = await apiClient()
    expect(await problem(changeSetting, { body: { key: 'modle', value: 'x' } })).toMatchObject({
      detail: expect.stringContaining('Did you mean model?') as string,
    })
  })
})
