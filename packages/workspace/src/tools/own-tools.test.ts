import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execute } from '@toolglot/agent'
import { decide } from '@toolglot/permissions'
import { describe, expect, test } from 'vitest'
import { folderOf } from '../../../agent/test/folder.ts'
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

/** A folder with settings that name tools, trusted unless told otherwise. */
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

describe('what a file exports', () => {
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
      'a toolkit',
      `export default { id: 'mail', methods: [
        { name: 'send', agentCallable: true, execute: () => 'sent' },
        { name: 'remove', execute: () => 'removed' },
      ] }`,
      ['mail_send'],
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
    ['no tool', 'export const a = 1', "got only 'a'"],
    ['nothing', '', 'no export at all'],
    ['the name of another tool', weather.replace('get_weather', 'Bash'), "'Bash', which is taken"],
    ['the alias of another tool', weather.replace('get_weather', 'read_file'), 'which is taken'],
    ['an invalid name', weather.replace('get_weather', 'get weather'), 'a valid tool'],
    ['code that fails', 'throw new Error("no luck")', 'no luck'],
  ])('%s is refused', async (_, code, message) => {
    const workspace = await opened({ ...settings(), 'my-tool.mjs': code })
    await expect(workspace.ownTools()).rejects.toThrow(message)
  })
})

test('rules can name the tool, and it runs', async () => {
  const workspace = await opened({
    ...settings({ permissions: { allow: ['get_weather'] } }),
    'my-tool.mjs': weather,
  })
  const permissions = await workspace.permissions()
  const { fileSystem } = workspace
  const tools = await workspace.ownTools()
  const call = { id: '1', name: 'get_weather', args: { city: 'Hanoi' } }
  expect(decide(call, permissions, fileSystem).verdict).toBe('allow')
  expect(
    await execute(call, { tools, permissions, fileSystem, signal: new AbortController().signal }),
  ).toMatchObject({ status: 'success', result: { city: 'Hanoi', sky: 'clear' } })
})

test('without a rule it asks', async () => {
  const workspace = await opened({ ...settings(), 'my-tool.mjs': weather })
  const call = { name: 'get_weather', args: { city: 'Hanoi' } }
  expect(decide(call, await workspace.permissions(), workspace.fileSystem).verdict).toBe('ask')
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

  test.each<[name: string, file: string]>([
    ['the file', 'my-tool.mjs'],
    ['what it imports', 'lib/sky.mjs'],
    ['what that imports', 'lib/deep.mjs'],
  ])('a change of %s is asked about again', async (_, file) => {
    const workspace = await opened({
      ...settings(),
      'my-tool.mjs': `import './lib/sky.mjs'\n${weather}`,
      'lib/sky.mjs': "export { a } from './deep.mjs'",
      'lib/deep.mjs': 'export const a = 1',
    })
    expect(workspace.trust).toBe('trusted')
    writeFileSync(join(workspace.folder, file), '// other code')
    const again = await openWorkspace(workspace.folder, { env: workspace.env })
    expect(again.trust).toBe('changed')
    expect(await again.ownTools()).toEqual(new Map())
  })

  test('a file outside the folder cannot be named by its settings', async () => {
    const elsewhere = folderOf({ 'tool.mjs': marking })
    const workspace = await opened({
      '.toolglot/settings.json': { tools: [join(elsewhere, 'tool.mjs')] },
    })
    await expect(workspace.ownTools()).rejects.toThrow('which is outside')
  })
})

test('settings with something else under "tools" say what was expected', async () => {
  const workspace = await opened({ '.toolglot/settings.json': { tools: [1] } })
  expect(workspace.warnings.join()).toContain('expected paths in "tools", such as ["./my-tool.js"]')
})
