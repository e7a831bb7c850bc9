import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parse as parseJson } from 'jsonc-parser'
import { describe, expect, test } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { household } from '../../test/household.ts'
import { clients } from './clients.ts'

// No server listens there.
const url = 'http://127.0.0.1:9'
const gateway = ['--url', url, '--token', 't-1', '--model', 'coder']

interface Case {
  /** The path of its settings in the home folder. Missing if users edit the settings by hand. */
  readonly file?: string
  /**
   * The user's settings with a comment, which must be kept. Missing if the file contains only our
   * settings.
   */
  readonly before?: string
  readonly read: (text: string) => unknown
  /** The settings that the client reads. */
  readonly settings: object
}

const cases: Readonly<Record<string, Case>> = {
  'claude-code': {
    file: '.claude/settings.json',
    before: '{\n  // mine\n  "env": { "EDITOR": "vi" },\n}\n',
    read: parseJson,
    settings: {
      env: { ANTHROPIC_BASE_URL: url, ANTHROPIC_AUTH_TOKEN: 't-1', ANTHROPIC_MODEL: 'coder' },
    },
  },
  codex: {
    file: '.codex/toolglot.config.toml',
    read: (text) => ({ text }),
    settings: {
      text: expect.stringMatching(
        /^model = "coder"\n[^]*base_url = "http:\/\/127\.0\.0\.1:9\/v1"\n[^]*token = "t-1"\n/,
      ) as string,
    },
  },
  opencode: {
    file: '.config/opencode/opencode.json',
    before: '{\n  // mine\n  "theme": "dark",\n  "provider": { "other": {} }\n}\n',
    read: parseJson,
    settings: {
      model: 'toolglot/coder',
      provider: {
        toolglot: {
          options: { baseURL: `${url}/v1`, apiKey: 't-1' },
          models: { coder: { name: 'coder' } },
        },
      },
    },
  },
  'qwen-code': {
    file: '.qwen/settings.json',
    before: '{\n  // mine\n  "ui": { "theme": "dark" }\n}\n',
    read: parseJson,
    settings: {
      security: { auth: { selectedType: 'openai', baseUrl: `${url}/v1`, apiKey: 't-1' } },
      model: { name: 'coder' },
    },
  },
  pi: {
    file: '.pi/agent/models.json',
    before: '{\n  // mine\n  "providers": { "other": { "models": [] } }\n}\n',
    read: parseJson,
    settings: {
      providers: {
        toolglot: { baseUrl: `${url}/v1`, apiKey: 't-1', models: [{ id: 'coder' }] },
      },
    },
  },
  continue: {
    file: '.continue/toolglot.yaml',
    read: parseYaml,
    settings: { models: [{ model: 'coder', apiBase: `${url}/v1`, apiKey: 't-1' }] },
  },
  zed: {
    read: parseJson,
    settings: {
      language_models: {
        openai_compatible: {
          Toolglot: { api_url: `${url}/v1`, available_models: [{ name: 'coder' }] },
        },
      },
    },
  },
  aider: {
    read: parseYaml,
    settings: { 'openai-api-base': `${url}/v1`, 'openai-api-key': 't-1', model: 'openai/coder' },
  },
  'open-webui': {
    read: (text) => Object.fromEntries(text.split('\n').map((line) => line.split('='))) as object,
    settings: { OPENAI_API_BASE_URL: `${url}/v1`, OPENAI_API_KEY: 't-1' },
  },
}

test('every client has a case here', () => {
  const filesOf = (home: string) =>
    clients.map(({ id, file }) => [id, file && relative(home, file({ home, env: {} }))])
  expect(filesOf('/home/me')).toEqual(clients.map(({ id }) => [id, cases[id]?.file]))
})

const all = Object.entries(cases).map(([id, each]) => ({ id, ...each }))
const written = all.flatMap(({ file, ...each }) => (file === undefined ? [] : { file, ...each }))
const printed = all.filter(({ file }) => file === undefined)
const shared = written.flatMap(({ before, ...each }) => (before ? { before, ...each } : []))

describe.each(printed)('$id', ({ id, read, settings }) => {
  test('prints settings to add by hand', async () => {
    const { home, start } = household()
    const { code, output } = await start(['connect', id, ...gateway])
    expect(code).toBe(0)
    expect(read(output)).toMatchObject(settings)
    const refused = await start(['connect', id, '--write'])
    expect(refused).toMatchObject({ code: 2, output: '' })
    expect(refused.errors).toContain('are not in a file')
    expect(readdirSync(home)).toEqual([])
  })
})

describe.each(written)('$id', ({ id, file, read, settings }) => {
  const connect = ['connect', id]

  test('writes settings only with --write, replaces them, and undoes that', async () => {
    const { home, start } = household()
    const path = join(home, file)
    expect((await start([...connect, ...gateway])).output).toContain(url)
    expect(readdirSync(home)).toEqual([])
    expect(await start([...connect, '--write', ...gateway])).toMatchObject({ code: 0 })
    expect(read(readFileSync(path, 'utf8'))).toMatchObject(settings)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect((await start(['connect'])).output).toMatch(new RegExp(`^${id} .*connected$`, 'm'))
    // Without --token, a new token is created for the client.
    expect(await start([...connect, '--write', '--model', 'other'])).toMatchObject({ code: 0 })
    expect(readFileSync(path, 'utf8')).toContain('http://127.0.0.1:4747')
    expect((await start(['token', 'list'])).output).toContain(`connect-${id}`)
    expect(await start([...connect, '--undo'])).toMatchObject({ code: 0 })
    expect(existsSync(path)).toBe(false)
    expect((await start(['token', 'list'])).output).not.toContain(`connect-${id}`)
    expect(await start([...connect, '--undo'])).toMatchObject({ code: 1 })
  })

  test('does not change a file that cannot be extended', async () => {
    const { home, start } = household({}, { [file]: '["mine"]' })
    expect(await start([...connect, '--write', ...gateway])).toMatchObject({ code: 1 })
    expect(readFileSync(join(home, file), 'utf8')).toBe('["mine"]')
  })
})

describe.each(shared)('$id', ({ id, file, before, read, settings }) => {
  test("keeps the user's settings and comments, and restores the file exactly", async () => {
    const { home, start } = household({}, { [file]: before })
    await start(['connect', id, '--write', ...gateway])
    const text = readFileSync(join(home, file), 'utf8')
    expect(text).toContain('// mine')
    expect(read(text)).toMatchObject(settings)
    expect(read(text)).toMatchObject(parseJson(before) as object)
    await start(['connect', id, '--undo'])
    expect(readFileSync(join(home, file), 'utf8')).toBe(before)
  })
})
