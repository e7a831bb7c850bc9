import { existsSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execute } from '@toolglot/agent'
import { decide } from '@toolglot/permissions'
import { describe, expect, test } from 'vitest'
import { folderOf } from '../../../../tests/helpers/folder.ts'
import { loadSettings, trustFolder } from '../settings/load-settings.ts'
import { openWorkspace, type Workspace } from '../workspace.ts'

const weather = `export default {
  name: 'get_weather',
  description: 'Returns the weather of a city.',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  execute: ({ city }) => ({ city, sky: 'clear' }),
}`

interface Files {
  readonly [name: string]: string | object
}

/** A folder whose settings list files with tools. Trusted by default. */
async function opened(files: Files, { trusted = true } = {}): Promise<Workspace> {
  const folder = folderOf({ '.git/HEAD': '', ...files })
  const env = { HOME: folderOf() }
  const { directories } = await openWorkspace(folder, { env })
  if (trusted) trustFolder(loadSettings(folder, { directories }), { directories })
  return openWorkspace(folder, { env })
}

const settings = (more: object = {}): Files => ({
  '.toolglot/settings.json': { tools: ['./my-tool.mjs'], ...more },
})

describe('the exports of a file', () => {
  test.each<[name: string, code: string, tools: string[]]>([
    ['a tool', weather, ['get_weather']],
    [
      'a list',
      `${weather.replace('export default', 'const one =')}\nexport default [one, { ...one, name: 'other' }]`,
      ['get_weather', 'other'],
    ],
    [
      'several exports',
      `${weather}\nexport const other = { name: 'other', description: '', parameters: {}, execute() {} }`,
      ['get_weather', 'other'],
    ],
    [
      'a tool by its name and in a list',
      `${weather.replace('export default', 'export const one =')}\nexport default [one]`,
      ['get_weather'],
    ],
    [
      'a schema that is a function',
      weather.replace(
        /parameters: .*,/,
        `parameters: Object.assign(() => {}, { '~standard': {
        version: 1, vendor: 'x', validate: (value) => ({ value }),
        jsonSchema: { input: () => ({ type: 'object' }) } } }),`,
      ),
      ['get_weather'],
    ],
    [
      'a toolkit',
      `export default { id: 'mail', methods: [
        { name: 'send', agentCallable: true, execute: () => 'sent' },
        { name: 'remove', execute: () => 'removed' },
        { name: 'list', agentCallable: true, protocolConfig: { vcpCommand: 'show' }, execute: () => '' },
      ] }`,
      ['mail_send', 'mail_show'],
    ],
    [
      'an object that describes its methods',
      `class Mail { id = 'mail'; send() { return 'sent' }
        getMetadata() { return { methods: [{ name: 'send', agentCallable: true }] } } }
      export default new Mail()`,
      ['mail_send'],
    ],
  ])('%s', async (_, code, names) => {
    const workspace = await opened({ ...settings(), 'my-tool.mjs': code })
    expect([...(await workspace.ownTools()).keys()].sort()).toEqual(names)
  })

  test.each<[name: string, code: string, message: string]>([
    ['no tool', 'export const a = 1', 'it exports no tools, only a'],
    ['nothing', '', 'it has no exports'],
    ['the name of another tool', weather.replace('get_weather', 'Bash'), 'Bash is reserved'],
    ['that name in capitals', weather.replace('get_weather', 'BASH'), 'BASH is reserved'],
    ['the alias of another tool', weather.replace('get_weather', 'read_file'), 'is reserved'],
    ['a name of MCP', weather.replace('get_weather', 'mcp__x__'), 'mcp__x__ is reserved'],
    ['an invalid name', weather.replace('get_weather', 'get weather'), 'Cannot use'],
    [
      'a tool without a description',
      weather.replace('description:', 'text:'),
      'description of the tool "get_weather" must be a string, not undefined',
    ],
    [
      'a list with something else in it',
      `${weather.replace('export default', 'const one =')}\nexport default [one, { nmae: 'x' }]`,
      'The name of a tool must be',
    ],
    ['code that fails', 'throw new Error("no luck")', 'no luck'],
  ])('%s is rejected', async (_, code, message) => {
    const workspace = await opened({ ...settings(), 'my-tool.mjs': code })
    await expect(workspace.ownTools()).rejects.toThrow(message)
  })
})

test('rules can refer to the tool, and it runs', async () => {
  const workspace = await opened({
    ...settings({ permissions: { allow: ['get_weather'] } }),
    'my-tool.mjs': weather,
  })
  const permissions = await workspace.permissions()
  const { fileSystem } = workspace
  const tools = await workspace.ownTools()
  const call = { id: '1', name: 'get_weather', args: { city: 'Hanoi' } }
  expect((await decide(call, permissions, fileSystem)).verdict).toBe('allow')
  expect(
    await execute(call, { tools, permissions, fileSystem, signal: new AbortController().signal }),
  ).toMatchObject({ status: 'success', result: { city: 'Hanoi', sky: 'clear' } })
})

test('without a rule, it needs approval', async () => {
  const workspace = await opened({ ...settings(), 'my-tool.mjs': weather })
  const call = { name: 'get_weather', args: { city: 'Hanoi' } }
  expect((await decide(call, await workspace.permissions(), workspace.fileSystem)).verdict).toBe(
    'ask',
  )
})

describe('trust', () => {
  const marking = `import { writeFileSync } from 'node:fs'\nwriteFileSync(new URL('loaded', import.meta.url), '')\n${weather}`

  test('nothing is loaded before the folder is trusted', async () => {
    const workspace = await opened({ ...settings(), 'my-tool.mjs': marking }, { trusted: false })
    expect(await workspace.ownTools()).toEqual(new Map())
    await workspace.permissions()
    expect(existsSync(join(workspace.folder, 'loaded'))).toBe(false)
    expect(workspace.warnings.join()).toContain('are not trusted')
  })

  const importing = (statement: string): Files => ({
    ...settings(),
    'my-tool.mjs': `${statement}\n${weather}`,
    'lib/sky.mjs': "export { a } from './deep.mjs'",
    'lib/deep.mjs': 'export const a = 1',
    'lib/old.cjs': "module.exports = require('./older')",
    'lib/older.js': 'module.exports = 1',
    'package.json': { imports: { '#sky': './lib/sky.mjs' } },
  })

  test.each<[name: string, statement: string, file: string]>([
    ['the file', '', 'my-tool.mjs'],
    ['an imported file', "import './lib/sky.mjs'", 'lib/sky.mjs'],
    ['an indirect import', "import './lib/sky.mjs'", 'lib/deep.mjs'],
    ['an import with a query', "import './lib/sky.mjs?v=1'", 'lib/sky.mjs'],
    ['an import by another name', "import '#sky'", 'lib/sky.mjs'],
    ['a dynamic import', "await import('./lib/sky.mjs')", 'lib/sky.mjs'],
    ['a CommonJS import', "import './lib/old.cjs'", 'lib/older.js'],
  ])('a change of %s requires a new review', async (_, statement, file) => {
    const workspace = await opened(importing(statement))
    expect(workspace.trust).toBe('trusted')
    expect((await workspace.ownTools()).size).toBe(1)
    writeFileSync(join(workspace.folder, file), '// other code')
    const again = await openWorkspace(workspace.folder, { env: workspace.env })
    expect(again.trust).toBe('changed')
    expect(await again.ownTools()).toEqual(new Map())
  })

  test('a link is followed to the file, and imports are resolved from there', async () => {
    const folder = folderOf({
      '.git/HEAD': '',
      '.toolglot/settings.json': { tools: ['./linked.mjs'] },
      'lib/tool.mjs': `import './sky.mjs'\n${weather}`,
      'lib/sky.mjs': '',
    })
    symlinkSync('lib/tool.mjs', join(folder, 'linked.mjs'))
    const env = { HOME: folderOf() }
    const { directories } = await openWorkspace(folder, { env })
    trustFolder(loadSettings(folder, { directories }), { directories })
    expect((await (await openWorkspace(folder, { env })).ownTools()).size).toBe(1)
    writeFileSync(join(folder, 'lib/sky.mjs'), '// other code')
    expect((await openWorkspace(folder, { env })).trust).toBe('changed')
  })

  test('a large file is hashed completely, and one that is too large is never trusted', async () => {
    const large = (size: number, end: string): string => `${weather}\n//${' '.repeat(size)}${end}`
    const workspace = await opened({ ...settings(), 'my-tool.mjs': large(2 << 20, 'a') })
    expect(workspace.trust).toBe('trusted')
    writeFileSync(join(workspace.folder, 'my-tool.mjs'), large(2 << 20, 'b'))
    expect((await openWorkspace(workspace.folder, { env: workspace.env })).trust).toBe('changed')
    const larger = await opened({ ...settings(), 'my-tool.mjs': large(33 << 20, 'a') })
    expect(larger.trust).toBe('changed')
  })

  test('settings from the command line load no code from an untrusted folder', async () => {
    const folder = folderOf({ 'rules.json': { tools: ['./my-tool.mjs'] }, 'my-tool.mjs': marking })
    const env = { HOME: folderOf() }
    const workspace = await openWorkspace(folder, { env, settings: [join(folder, 'rules.json')] })
    await expect(workspace.ownTools()).rejects.toThrow('that is not trusted')
    expect(existsSync(join(folder, 'loaded'))).toBe(false)
  })

  test('a file outside of the folder cannot be listed in its settings', async () => {
    const elsewhere = folderOf({ 'tool.mjs': marking })
    const workspace = await opened({
      '.toolglot/settings.json': { tools: [join(elsewhere, 'tool.mjs')] },
    })
    await expect(workspace.ownTools()).rejects.toThrow('is outside of')
  })
})

test('an invalid value of "tools" is reported', async () => {
  const workspace = await opened({ '.toolglot/settings.json': { tools: [1] } })
  expect(workspace.warnings.join()).toContain(
    '"tools" must be a list of paths, such as ["./my-tool.mjs"]',
  )
})

describe('permissions', () => {
  test('the model cannot change the code without approval, whatever is allowed', async () => {
    const workspace = await opened({
      ...settings({ permissions: { allow: ['Edit(**)'] } }),
      'my-tool.mjs': weather,
    })
    const write = async (file_path: string): Promise<string> =>
      (
        await decide(
          { name: 'Write', args: { file_path, content: '' } },
          permissions,
          workspace.fileSystem,
        )
      ).verdict
    const permissions = await workspace.permissions()
    expect([await write('my-tool.mjs'), await write('other.mjs')]).toEqual(['ask', 'allow'])
  })

  test('or the programs that settings start', async () => {
    const workspace = await opened({
      '.toolglot/settings.json': {
        permissions: { allow: ['Edit(**)'] },
        mcpServers: {
          one: { command: 'node', args: ['--import=./scripts/a.mjs', 'scripts/b [1].mjs', 'c\0d'] },
          two: { command: './start.sh', args: ['.', 'x'.repeat(5000)], cwd: 'server' },
          three: { command: 'python3', args: ['server/app', '/usr'] },
          four: { url: 'https://example.com/scripts/other.mjs' },
          five: { command: 'npx', args: ['server', '--db', 'notes.db', 'docs'] },
        },
        languageServers: [{ name: 'own', command: ['node', 'lsp.mjs'], endings: ['.own'] }],
      },
      ...Object.fromEntries(
        [
          ...['scripts/a.mjs', 'scripts/b [1].mjs', 'scripts/other.mjs', 'lsp.mjs'],
          ...['server/start.sh', 'server/app/__main__.py', 'notes.db', 'docs/a.md'],
        ].map((path) => [path, '']),
      ),
    })
    const permissions = await workspace.permissions()
    const write = async (file_path: string): Promise<string> => {
      const call = { name: 'Write', args: { file_path, content: '' } }
      return (await decide(call, permissions, workspace.fileSystem)).verdict
    }
    for (const path of ['scripts/a.mjs', 'scripts/b [1].mjs', 'server/start.sh', 'lsp.mjs'])
      expect([path, await write(path)]).toEqual([path, 'ask'])
    expect(await write('server/app/new.py')).toBe('ask')
    const others = ['scripts/other.mjs', 'notes.md', 'scripts/new.mjs', 'notes.db', 'docs/a.md']
    for (const path of others) expect([path, await write(path)]).toEqual([path, 'allow'])
  })

  test('a rule for an unavailable tool has no effect, but a misspelled name denies everything', async () => {
    const verdict = async (rule: string): Promise<string> => {
      const files = { '.toolglot/settings.json': { permissions: { deny: [rule] } }, a: '' }
      const workspace = await opened(files, { trusted: false })
      const call = { name: 'Read', args: { file_path: 'a' } }
      return (await decide(call, await workspace.permissions(), workspace.fileSystem)).verdict
    }
    expect(await verdict('get_weather')).toBe('allow')
    expect(await verdict('Raed')).toBe('deny')
  })
})
