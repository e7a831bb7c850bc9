import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { scriptedModel } from '@toolglot/agent/testing'
import { fakeOllama } from '../../../agent/test/fixtures/servers/ollama.ts'
import { folderOf } from '../../../../tests/helpers/folder.ts'
import { startCommand } from '../../test/start-command.ts'
import { startServer } from '@toolglot/server'
import { clients } from '../connect/clients.ts'
import { freePort } from '../../../../tests/helpers/free-ports.ts'

const url = 'http://127.0.0.1:9'
const written = clients.filter(({ file }) => file)

/** A home folder, and a function that runs the command in it. */
function place(more: Record<string, string> = {}) {
  const home = folderOf()
  const env = { HOME: home, ...more }
  return {
    home,
    run: (...words: string[]) => startCommand(['connect', ...words], { env }),
    tokens: async () => (await startCommand(['token', 'list'], { env: { HOME: home } })).output,
    fileOf: (id: string) => clients.find((each) => each.id === id)!.file!({ home, env }),
  }
}

describe('an unknown model', () => {
  const missing = 'The gateway has no model named zzz'

  test('is refused by a running gateway, and no file is written', async () => {
    const { home, run, fileOf } = place()
    const models = {
      list: async () => [{ name: 'coder', owner: 'test' }],
      find: async (name: string) => (name === 'other' ? { model: scriptedModel([]) } : undefined),
    }
    const stateFolder = join(home, '.local/state/toolglot')
    const port = await freePort()
    const server = await startServer({ stateFolder, models, port })
    for (const words of [['codex'], ['codex', '--write']]) {
      const { code, errors } = await run(...words, '--model', 'zzz')
      expect([code, errors]).toEqual([1, expect.stringContaining(missing)])
    }
    expect(existsSync(fileOf('codex'))).toBe(false)
    for (const model of ['coder', 'other'])
      expect(await run('codex', '--write', '--model', model)).toMatchObject({ code: 0 })
    await server.close()
  })

  test('is refused if the models of this machine are known', async () => {
    const ollama = await fakeOllama([{ name: 'qwen3:8b', trained: 40_960 }], () => '')
    const { run } = place({ OLLAMA_HOST: ollama.url })
    expect(await run('codex', '--model', 'qwen3:8b')).toMatchObject({ code: 0 })
    const { code, errors } = await run('codex', '--write', '--model', 'zzz')
    expect([code, errors]).toEqual([1, expect.stringContaining(missing)])
  })

  test('is accepted with a warning if there is no list', async () => {
    const { run } = place({ OLLAMA_HOST: 'http://127.0.0.1:9' })
    const { code, errors } = await run('codex', '--write', '--model', 'zzz')
    expect([code, errors]).toEqual([0, expect.stringContaining('zzz could not be checked')])
  })
})

describe('an existing file', () => {
  const before = '{\n\t// mine\n\t"theme": "dark", "env": { "EDITOR": "vi" },\n}'

  function claude(content: string) {
    const at = place()
    const file = at.fileOf('claude-code')
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
    chmodSync(file, 0o640)
    return { ...at, file }
  }

  test('keeps its content, and is restored exactly', async () => {
    const { file, run } = claude(before)
    await run('claude-code', '--write', '--url', url, '--token', 't-1')
    const text = readFileSync(file, 'utf8')
    for (const part of ['// mine', '"theme": "dark"', '"EDITOR": "vi"', url, '"t-1"'])
      expect(text).toContain(part)
    await run('claude-code', '--undo')
    expect(readFileSync(file, 'utf8')).toBe(before)
    expect(statSync(file).mode & 0o777).toBe(0o640)
  })

  test('keeps later changes, and is restored without our values', async () => {
    const { file, run } = claude('{"theme": "dark", "env": {"ANTHROPIC_MODEL": "opus"}}')
    await run('claude-code', '--write')
    const changed = readFileSync(file, 'utf8').replace('dark', 'light')
    writeFileSync(file, changed)
    expect(await run('claude-code', '--write', '--model', 'coder')).toMatchObject({ code: 0 })
    expect(readFileSync(file, 'utf8')).toMatch(/light[^]*coder/)
    writeFileSync(file, readFileSync(file, 'utf8').replace('{', '{"more": 1,'))
    expect(await run('claude-code', '--undo')).toMatchObject({ code: 0 })
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      more: 1,
      theme: 'light',
      env: { ANTHROPIC_MODEL: 'opus' },
    })
  })

  test('is not removed if an agent has added to it', async () => {
    const { fileOf, run } = place()
    const file = fileOf('qwen-code')
    await run('qwen-code', '--write')
    writeFileSync(file, readFileSync(file, 'utf8').replace('{', '{"$version": 3,'))
    await run('qwen-code', '--undo')
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ $version: 3 })
  })

  test('is not changed if it is no longer JSON, unless that is forced', async () => {
    const { fileOf, run } = place()
    const file = fileOf('codex')
    await run('codex', '--write')
    const changed = `${readFileSync(file, 'utf8')}# mine\n`
    writeFileSync(file, changed)
    for (const flag of ['--undo', '--write'])
      expect(await run('codex', flag)).toMatchObject({
        code: 1,
        errors: expect.stringContaining('changed since') as string,
      })
    expect(readFileSync(file, 'utf8')).toBe(changed)
    expect(await run('codex', '--undo', '--force')).toMatchObject({ code: 0 })
    expect(existsSync(file)).toBe(false)
  })

  test.each(['{ "env": ', '[]', 'theme: dark'])(
    'is not changed if it is not a JSON object, without a token: %j',
    async (content) => {
      const { file, run, tokens } = claude(content)
      expect(await run('claude-code', '--write')).toMatchObject({ code: 1 })
      expect(readFileSync(file, 'utf8')).toBe(content)
      expect(await tokens()).not.toContain('connect-')
    },
  )

  test('remains a link if it is one', async () => {
    const { home, fileOf, run } = place()
    const file = fileOf('claude-code')
    const real = join(home, 'dotfiles.json')
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(real, '{}')
    symlinkSync(real, file)
    await run('claude-code', '--write', '--url', url, '--token', 't')
    expect(readFileSync(real, 'utf8')).toContain(url)
    await run('claude-code', '--undo')
    expect(readFileSync(file, 'utf8')).toBe('{}')
  })

  test.each([
    ['{"env": null}', '"env" must be an object', 'not null'],
    ['{"env": []}', '"env" must be an object', 'not a list'],
    ['{"env": "A=1"}', '"env" must be an object', 'not a string'],
    ['{"env": {}, "env": {}}', 'In ', '"env" occurs 2 times'],
    [
      '{"env": {"ANTHROPIC_MODEL": 1, "ANTHROPIC_MODEL": 2}}',
      'In ',
      '"env.ANTHROPIC_MODEL" occurs 2 times',
    ],
    ['null', 'the settings must be an object', 'not null'],
    ['[]', 'the settings must be an object', 'not a list'],
    ['{,}', 'In ', 'the text is not JSON'],
  ])('is not changed if a value is in the way: %s', async (content, expected, got) => {
    const { file, run, tokens } = claude(content)
    const { code, errors } = await run('claude-code', '--write')
    expect(code).toBe(1)
    expect(errors).toContain(expected)
    expect(errors).toContain(got)
    expect(errors).not.toContain('    at ')
    expect(readFileSync(file, 'utf8')).toBe(content)
    expect(await tokens()).not.toContain('connect-')
  })

  test.each([
    ['a byte order mark', '\uFEFF{"theme": "dark"}'],
    ['CRLF', '{\r\n  "theme": "dark"\r\n}\r\n'],
    ['comments and trailing commas', '// mine\n{\n  /* dark */ "theme": "dark",\n}\n\n'],
    ['nothing', ''],
    ['nothing but space', ' \n\n'],
    ['a key of its own', '{"env": {"ANTHROPIC_API_KEY": "sk-ant"}, "a": {"__proto__": {}}}'],
  ])('with %s: two connections, each undone exactly', async (_, content) => {
    const { file, run } = claude(content)
    for (const model of ['one', 'other'])
      expect(await run('claude-code', '--write', '--model', model)).toMatchObject({ code: 0 })
    const text = readFileSync(file, 'utf8')
    expect(text.startsWith('\uFEFF')).toBe(content.startsWith('\uFEFF'))
    if (content.includes('\r')) expect(text).not.toMatch(/[^\r]\n/)
    expect(text).toContain('"other"')
    expect(text).not.toContain('sk-ant')
    expect(await run('claude-code', '--undo')).toMatchObject({ code: 0 })
    expect(readFileSync(file)).toEqual(Buffer.from(content))
  })

  test('is not changed if it is not UTF-8', async () => {
    const { file, run } = claude('')
    const bytes = Buffer.from([0x7b, 0xff, 0x7d])
    writeFileSync(file, bytes)
    const { code, errors } = await run('claude-code', '--write')
    expect([code, errors]).toEqual([1, expect.stringContaining('not UTF-8')])
    expect(readFileSync(file)).toEqual(bytes)
  })

  test('stays unchanged if it cannot be written, as do all other files', async () => {
    const { file, run, tokens } = claude('{}')
    await run('claude-code', '--write')
    const before = readFileSync(file, 'utf8')
    rmSync(file)
    mkdirSync(file)
    const { code, errors } = await run('claude-code', '--write')
    expect([code, errors]).toEqual([1, expect.stringContaining('it is not a regular file')])
    expect(await tokens()).toContain('connect-claude-code')
    rmdirSync(file)
    writeFileSync(file, before)
    expect(await run('claude-code', '--undo')).toMatchObject({ code: 0 })
    expect(readFileSync(file, 'utf8')).toBe('{}')
  })

  test.each([
    ['leads nowhere', (file: string) => symlinkSync(join(dirname(file), 'missing.json'), file)],
    ['leads to itself', (file: string) => symlinkSync(file, file)],
    ['leads to a folder', (file: string) => symlinkSync(dirname(file), file)],
  ])('is not changed if it is a link that %s, without a token', async (_, link) => {
    const { fileOf, run, tokens } = place()
    const file = fileOf('claude-code')
    mkdirSync(dirname(file), { recursive: true })
    link(file)
    const target = readlinkSync(file)
    const { code, errors } = await run('claude-code', '--write')
    expect([code, errors]).toEqual([
      1,
      expect.stringMatching(/: (?:a link to|it is not a regular file)/),
    ])
    expect(readlinkSync(file)).toBe(target)
    expect(existsSync(join(dirname(file), 'missing.json'))).toBe(false)
    expect(await tokens()).not.toContain('connect-')
  })

  test('is not created in a folder that is a dangling link', async () => {
    const { home, fileOf, run } = place()
    const folder = dirname(fileOf('claude-code'))
    symlinkSync(join(home, 'missing'), folder)
    const { code, errors } = await run('claude-code', '--write')
    expect([code, errors]).toEqual([1, expect.stringContaining('a link to a missing file')])
    expect(existsSync(join(home, 'missing'))).toBe(false)
  })

  test('is undone at its new place if it has become a link', async () => {
    const { home, file, run } = claude('{"a": 1}')
    await run('claude-code', '--write')
    const real = join(home, 'dotfiles.json')
    renameSync(file, real)
    symlinkSync(real, file)
    expect(await run('claude-code', '--undo')).toMatchObject({ code: 0 })
    expect([readlinkSync(file), readFileSync(real, 'utf8')]).toEqual([real, '{"a": 1}'])
  })

  test('is refused as a second file until the first one is undone', async () => {
    const { home, run } = place()
    await run('claude-code', '--write')
    const env = { HOME: home, CLAUDE_CONFIG_DIR: join(home, 'other') }
    const words = ['connect', 'claude-code', '--write']
    const { code, errors } = await startCommand(words, { env })
    expect([code, errors]).toEqual([1, expect.stringContaining('Undo that first')])
  })

  test('is reported in one line if its record was changed', async () => {
    const { home, file, run } = claude('{}')
    await run('claude-code', '--write')
    const memory = join(home, '.local/state/toolglot/connect/claude-code.json')
    for (const content of ['{', 'null', '{"file": 5}']) {
      writeFileSync(memory, content)
      const { code, errors } = await run('claude-code', '--undo')
      expect([code, errors]).toEqual([1, expect.stringContaining(memory)])
      expect(errors).not.toContain('    at ')
    }
    expect(readFileSync(file, 'utf8')).toContain('ANTHROPIC_BASE_URL')
  })

  test('is not replaced if it is not ours', async () => {
    const { fileOf, run } = place()
    const file = fileOf('codex')
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, 'model = "mine"\n')
    expect(await run('codex', '--write')).toMatchObject({ code: 1 })
    expect(readFileSync(file, 'utf8')).toBe('model = "mine"\n')
  })
})

describe('TOOLGLOT_TOKEN in the environment', () => {
  const secret = 'the-token-of-a-server-that-can-do-everything'

  test('is never written: the file gets a separate token', async () => {
    const { home, run, tokens, fileOf } = place({ TOOLGLOT_TOKEN: secret })
    for (const { id } of written) {
      const { code, errors } = await run(id, '--write')
      expect([code, errors]).toEqual([0, expect.stringContaining('TOOLGLOT_TOKEN is set')])
      expect(readFileSync(fileOf(id), 'utf8')).not.toContain(secret)
      expect(await tokens()).toContain(`connect-${id}`)
    }
    for (const entry of readdirSync(home, { recursive: true, withFileTypes: true }))
      if (entry.isFile())
        expect(readFileSync(join(entry.parentPath, entry.name), 'utf8')).not.toContain(secret)
    expect(await run('codex', '--undo')).toMatchObject({ code: 0 })
    expect(await tokens()).not.toContain('connect-codex')
  })

  test('keeps a running server from accepting other tokens, so no file is written', async () => {
    const { home, run, tokens, fileOf } = place()
    const stateFolder = join(home, '.local/state/toolglot')
    const models = { list: async () => [], find: async () => undefined }
    const start = async (token?: string) => {
      const port = await freePort()
      return startServer({ stateFolder, token, models, port })
    }
    const server = await start(secret)
    const { code, errors } = await run('codex', '--write')
    await server.close()
    expect([code, errors]).toEqual([1, expect.stringContaining('accepts no new token')])
    expect(existsSync(fileOf('codex'))).toBe(false)
    expect(await tokens()).not.toContain('connect-codex')
    const other = await start()
    expect(await run('codex', '--write')).toMatchObject({ code: 0 })
    expect(readFileSync(fileOf('codex'), 'utf8')).toContain(other.url)
    await other.close()
  })

  test('the token of another gateway replaces the previous one', async () => {
    const { run, tokens } = place()
    await run('codex', '--write')
    await run('codex', '--write', '--url', url, '--token', 't')
    expect(await tokens()).not.toContain('connect-codex')
  })
})

test.each([
  [['pi', '--write', '--token', '!touch /tmp/pwned'], 2, 'A token can contain only letters'],
  [['opencode', '--token', '{env:HOME}'], 2, 'A token can contain only letters'],
  [['codex', '--model', 'a\nb'], 2, 'not the name of a model'],
  [['codex', '--url', 'http://user:secret@x'], 2, 'without a path'],
  [['codex', '--url', 'http://x\nA=1'], 2, 'without a path'],
  [['nobody'], 2, 'one of claude-code, codex'],
  [['codex', '--write', '--undo'], 2, 'not both'],
  [['codex', '--force'], 2, '--force requires --undo'],
  [['codex', '--url', 'http://x/v1'], 2, 'without a path'],
  [['codex', '--write', '--url', 'http://x'], 2, '--url requires --token'],
])('%j', async (words, code, message) => {
  const { run } = place()
  expect(await run(...words)).toMatchObject({ code, errors: expect.stringContaining(message) })
})
