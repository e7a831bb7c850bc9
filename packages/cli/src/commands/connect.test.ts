import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { folderOf } from '../../../agent/test/folder.ts'
import { startCommand } from '../../test/start-command.ts'
import { clients } from '../connect/clients/index.ts'

const url = 'http://127.0.0.1:4711'
const written = clients.filter(({ file }) => file)

/** A home, and the command in it. */
function place() {
  const home = folderOf()
  const env = { HOME: home }
  return {
    home,
    run: (...words: string[]) => startCommand(['connect', ...words], { env }),
    tokens: async () => (await startCommand(['token', 'list'], { env })).output,
    fileOf: (id: string) => clients.find((each) => each.id === id)!.file!({ home, env }),
  }
}

test.each(clients.map(({ id }) => id))('%s: prints, and changes nothing', async (id) => {
  const { home, run } = place()
  const { code, output } = await run(id, '--url', url, '--model', 'coder')
  expect(code).toBe(0)
  expect(output).toContain(url)
  expect(existsSync(join(home, '.local'))).toBe(false)
  if (id !== 'open-webui') expect(output).toContain('coder')
})

describe.each(written.map(({ id }) => id))('%s', (id) => {
  test('is written where nothing was, and undone', async () => {
    const { run, fileOf, tokens } = place()
    expect(await run(id, '--write')).toMatchObject({ code: 0 })
    const file = fileOf(id)
    expect(readFileSync(file, 'utf8')).toContain('http://127.0.0.1:4747')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(await tokens()).toContain(`connect-${id}`)
    expect((await run()).output).toMatch(new RegExp(`^${id} .*connected$`, 'm'))
    // Twice is as good as once.
    const first = readFileSync(file, 'utf8')
    expect(await run(id, '--write', '--model', 'other')).toMatchObject({ code: 0 })
    expect(readFileSync(file, 'utf8')).not.toBe(first)
    expect(await run(id, '--undo')).toMatchObject({ code: 0 })
    expect(existsSync(file)).toBe(false)
    expect(await tokens()).not.toContain(`connect-${id}`)
    expect(await run(id, '--undo')).toMatchObject({ code: 1 })
  })
})

describe('a file that is there', () => {
  const before = '{\n\t// mine\n\t"theme": "dark", "env": { "EDITOR": "vi" },\n}'

  function claude(content: string) {
    const at = place()
    const file = at.fileOf('claude-code')
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
    chmodSync(file, 0o640)
    return { ...at, file }
  }

  test('keeps what it says, and gets it back to the byte', async () => {
    const { file, run } = claude(before)
    await run('claude-code', '--write', '--url', url, '--token', 't-1')
    const text = readFileSync(file, 'utf8')
    for (const part of ['// mine', '"theme": "dark"', '"EDITOR": "vi"', url, '"t-1"'])
      expect(text).toContain(part)
    await run('claude-code', '--undo')
    expect(readFileSync(file, 'utf8')).toBe(before)
    expect(statSync(file).mode & 0o777).toBe(0o640)
  })

  test('that was changed since keeps those changes, and gets back what was ours', async () => {
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

  test('that only an agent has added to is not removed', async () => {
    const { fileOf, run } = place()
    const file = fileOf('qwen-code')
    await run('qwen-code', '--write')
    writeFileSync(file, readFileSync(file, 'utf8').replace('{', '{"$version": 3,'))
    await run('qwen-code', '--undo')
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ $version: 3 })
  })

  test('that is not JSON and was changed since is left alone, unless that is forced', async () => {
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
    'that is not a JSON object is left alone, without a token: %j',
    async (content) => {
      const { file, run, tokens } = claude(content)
      expect(await run('claude-code', '--write')).toMatchObject({ code: 1 })
      expect(readFileSync(file, 'utf8')).toBe(content)
      expect(await tokens()).not.toContain('connect-')
    },
  )

  test('a link to it stays one', async () => {
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

  test('that is not ours is not replaced', async () => {
    const { fileOf, run } = place()
    const file = fileOf('codex')
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, 'model = "mine"\n')
    expect(await run('codex', '--write')).toMatchObject({ code: 1 })
    expect(readFileSync(file, 'utf8')).toBe('model = "mine"\n')
  })
})

test.each([
  [['nobody'], 2, 'one of claude-code, codex'],
  [['zed', '--write'], 2, 'settings are in a file'],
  [['codex', '--write', '--undo'], 2, 'both'],
  [['codex', '--force'], 2, 'add --undo'],
  [['codex', '--url', 'http://x/v1'], 2, 'leave out the path'],
  [['codex', '--write', '--url', 'http://x'], 2, '--token with --url'],
])('%j', async (words, code, message) => {
  const { run } = place()
  expect(await run(...words)).toMatchObject({ code, errors: expect.stringContaining(message) })
})
