import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { decide } from '@toolglot/permissions'
import { folderOf } from '../../../../tests/helpers/folder.ts'
import { removeTrust, trustedFolders } from '../trust/trust-store.ts'
import { UserError } from '../user-error.ts'
import { openWorkspace, type Workspace, type WorkspaceOptions } from '../workspace.ts'
import { loadSettings, trustFile, trustFolder } from './load-settings.ts'
import { rememberRules } from './remember-rules.ts'
import { userSettingsFile } from './user-settings.ts'

const RULE = 'Bash(npm test)'

interface Given extends Omit<WorkspaceOptions, 'env'> {
  readonly home?: string
  readonly trusted?: boolean
}

/** Opens a folder for a user with the home folder `home`, after trusting the folder. */
async function opened(
  folder: string,
  { home = folderOf(), trusted = true, ...options }: Given = {},
): Promise<Workspace> {
  const open = (): Promise<Workspace> => openWorkspace(folder, { ...options, env: { HOME: home } })
  if (!trusted) return open()
  const workspace = await open()
  trustFolder(workspace, workspace)
  return open()
}

const localFile = (folder: string): string => join(folder, '.toolglot/settings.local.json')
const trustOf = ({ folder, directories }: Workspace): string =>
  loadSettings(folder, { directories }).trust

/** True if `npm test` runs without approval in a session that starts now. */
async function isAllowed({ folder, env }: Workspace): Promise<boolean> {
  const { permissions, fileSystem } = await openWorkspace(folder, { env })
  const call = { name: 'Bash', args: { command: 'npm test' } }
  return (await decide(call, await permissions(), fileSystem)).verdict === 'allow'
}

/** Expects that neither rules nor trust are stored. */
async function expectRefusal(
  workspace: Workspace,
  scope: 'user' | 'folder',
  message: string | RegExp,
): Promise<void> {
  const store = trustFile(workspace)
  const before = existsSync(store) ? readFileSync(store, 'utf8') : undefined
  const remembered = rememberRules(workspace, [RULE], scope)
  await expect(remembered).rejects.toThrow(UserError)
  await expect(remembered).rejects.toThrow(message)
  expect(existsSync(store) ? readFileSync(store, 'utf8') : undefined).toBe(before)
}

describe("in the user's settings", () => {
  test('rules apply everywhere from now on', async () => {
    const workspace = await opened(folderOf(), { trusted: false })
    const file = await rememberRules(workspace, [RULE, 'Edit(//tmp/a)', RULE], 'user')
    expect(file).toBe(userSettingsFile(workspace.directories))
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      permissions: { allow: [RULE, 'Edit(//tmp/a)'] },
    })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(await isAllowed(workspace)).toBe(true)
  })

  test('comments, tabs and everything else stay, without duplicates', async () => {
    const text = `{
\t// mine
\t"permissions": {
\t\t"allow": [
\t\t\t"Bash(make)", // to build
\t\t],
\t\t"deny": ["Read(.env)"],
\t},
}
`
    const home = folderOf({ '.config/toolglot/settings.json': text })
    const workspace = await opened(folderOf(), { home, trusted: false })
    await rememberRules(workspace, ['Bash(make)', RULE, 'Bash(ls)'], 'user')
    const file = userSettingsFile(workspace.directories)
    const after = text.replace('[\n', `[\n\t\t\t"${RULE}",\n\t\t\t"Bash(ls)",\n`)
    expect(readFileSync(file, 'utf8')).toBe(after)
    await rememberRules(workspace, [RULE], 'user')
    expect(readFileSync(file, 'utf8')).toBe(after)
  })

  test('a link stays a link', async () => {
    const [home, dotfiles] = [folderOf({ '.config/toolglot/x': '' }), folderOf({ 'a.json': '{}' })]
    const workspace = await opened(folderOf(), { home, trusted: false })
    const file = userSettingsFile(workspace.directories)
    symlinkSync(join(dotfiles, 'a.json'), file)
    await rememberRules(workspace, [RULE], 'user')
    expect(lstatSync(file).isSymbolicLink()).toBe(true)
    expect(readFileSync(join(dotfiles, 'a.json'), 'utf8')).toContain(RULE)
  })

  test.each([
    ['{"permissions": {"alow": []}}', 'Did you mean "allow"?'],
    ['{"permissions": ', 'Fix that first'],
    [`${' '.repeat(1 << 20)}{}`, 'larger than'],
    [`{} // ${'x'.repeat((1 << 20) - 10)}`, 'would be larger than'],
  ])('invalid settings are not changed: %.30s', async (text, message) => {
    const home = folderOf({ '.config/toolglot/settings.json': text })
    const workspace = await opened(folderOf(), { home, trusted: false })
    await expectRefusal(workspace, 'user', message)
    expect(readFileSync(userSettingsFile(workspace.directories), 'utf8')).toBe(text)
  })
})

describe('no rule is stored that', () => {
  test.each(['user', 'folder'] as const)('is invalid or contains a secret: %s', async (scope) => {
    const workspace = await opened(folderOf())
    const store = (rule: string): Promise<string> => rememberRules(workspace, [RULE, rule], scope)
    await expect(store('Raed(.env)')).rejects.toThrow('Did you mean Read?')
    await expect(store('Bash(a:* b)')).rejects.toThrow(UserError)
    await expect(store('Bash(login sk-abcdefghijklmnopqrstuvwx)')).rejects.toThrow('secret')
    expect(existsSync(userSettingsFile(workspace.directories))).toBe(false)
    expect(existsSync(localFile(workspace.folder))).toBe(false)
  })

  test('except one for a tool that exists only in this session', async () => {
    const workspace = await opened(folderOf())
    await rememberRules(workspace, ['send_mail', 'mcp__notes__add'], 'folder')
    expect(readFileSync(localFile(workspace.folder), 'utf8')).toContain('send_mail')
  })
})

const project = {
  permissions: { allow: ['Bash(make)'], deny: ['Read(.env)'] },
  protocols: ['./t.mjs'],
}
const projectFolder = (files: Parameters<typeof folderOf>[0] = {}): string =>
  folderOf({
    '.git/HEAD': '',
    '.toolglot/settings.json': project,
    't.mjs': 'export default []',
    ...files,
  })

describe("in the folder's local settings", () => {
  test('rules count, and the folder stays trusted', async () => {
    const workspace = await opened(projectFolder())
    expect(await rememberRules(workspace, [RULE], 'folder')).toBe(localFile(workspace.folder))
    expect(await isAllowed(workspace)).toBe(true)
    expect(trustOf(workspace)).toBe('trusted')
    expect(statSync(localFile(workspace.folder)).mode & 0o777).toBe(0o600)
    // Twice, from the session that was opened before.
    await rememberRules(workspace, ['Bash(ls)'], 'folder')
    expect(trustOf(workspace)).toBe('trusted')
    const text = readFileSync(localFile(workspace.folder), 'utf8')
    expect(JSON.parse(text)).toEqual({ permissions: { allow: ['Bash(ls)', RULE] } })
    await rememberRules(workspace, [RULE], 'folder')
    expect(readFileSync(localFile(workspace.folder), 'utf8')).toBe(text)
    expect(readdirSync(join(workspace.folder, '.toolglot'))).toHaveLength(2)
  })

  test('existing comments and rules stay', async () => {
    const text = '{\n  // mine\n  "permissions": { "ask": ["Bash(rm:*)"] },\n}\n'
    const workspace = await opened(projectFolder({ '.toolglot/settings.local.json': text }))
    await rememberRules(workspace, [RULE], 'folder')
    expect(readFileSync(localFile(workspace.folder), 'utf8')).toContain('// mine')
    expect(trustOf(workspace)).toBe('trusted')
  })

  test('a missing file and folder are created', async () => {
    const folder = folderOf()
    const workspace = await opened(folder)
    mkdirSync(join(folder, '.toolglot'))
    writeFileSync(join(folder, '.toolglot/settings.json'), '{"permissions": {"deny": ["Grep"]}}')
    await rememberRules(workspace, [RULE], 'folder')
    expect(await isAllowed(workspace)).toBe(true)
    const other = await opened(folderOf())
    await rememberRules(other, [RULE], 'folder')
    expect(await isAllowed(other)).toBe(true)
    const { mode } = statSync(join(other.folder, '.toolglot'))
    expect(mode & 0o777).toBe(0o777 & ~process.umask())
  })

  test('of a folder inside a trusted one', async () => {
    const around = projectFolder({ 'in/x': '' })
    const { env } = await opened(around)
    const workspace = await openWorkspace(join(around, 'in'), { env })
    await rememberRules(workspace, [RULE], 'folder')
    expect(await isAllowed(workspace)).toBe(true)
    const outer = await openWorkspace(around, { env })
    expect(outer.trust).toBe('trusted')
    expect(await isAllowed(outer)).toBe(false)
  })

  test('earlier trusted states stay trusted, for example after removing a rule', async () => {
    const workspace = await opened(projectFolder())
    await rememberRules(workspace, [RULE], 'folder')
    rmSync(localFile(workspace.folder))
    expect(trustOf(workspace)).toBe('trusted')
  })

  test("trust in Claude Code's settings is renewed, but not newly granted", async () => {
    const claude = { '.claude/settings.json': { permissions: { allow: ['Bash(ls)'] } } }
    const trusts = ({ folder, directories }: Workspace): string[] =>
      [false, true].map((importClaude) => loadSettings(folder, { directories, importClaude }).trust)
    const both = await opened(projectFolder(claude), { importClaude: true })
    await rememberRules(both, [RULE], 'folder')
    expect(trusts(both)).toEqual(['trusted', 'trusted'])
    const own = await opened(projectFolder(claude))
    await rememberRules(own, [RULE], 'folder')
    expect(trusts(own)).toEqual(['trusted', 'changed'])
  })

  test('nothing is stored in a folder that is not trusted, or not anymore', async () => {
    const stranger = await opened(projectFolder(), { trusted: false })
    await expectRefusal(stranger, 'folder', 'are not trusted, so additions would have no effect')
    expect(existsSync(localFile(stranger.folder))).toBe(false)
    const revoked = await opened(projectFolder())
    removeTrust(trustFile(revoked), revoked.folder)
    await expectRefusal(revoked, 'folder', 'are not trusted')
    const unsafe = await opened(projectFolder())
    chmodSync(trustFile(unsafe), 0o622)
    await expectRefusal(unsafe, 'folder', 'are not trusted')
  })
})

describe('changes by others since the start of the session are not trusted', () => {
  const greedy = JSON.stringify({ permissions: { allow: ['Bash(*)'] } })
  test.each<[name: string, file: string, text: string]>([
    ["the project's settings", '.toolglot/settings.json', greedy],
    ['local settings', '.toolglot/settings.local.json', greedy],
    ['code', 't.mjs', 'export default [1]'],
    ['settings around it', '../.toolglot/settings.json', greedy],
  ])('%s', async (_, file, text) => {
    const folder = projectFolder({ 'in/.toolglot/settings.json': project, 'in/t.mjs': '' })
    const workspace = await opened(join(folder, 'in'))
    const changed = join(workspace.folder, file)
    mkdirSync(dirname(changed), { recursive: true })
    writeFileSync(changed, text)
    await expectRefusal(workspace, 'folder', 'have changed since you trusted it')
    expect(readFileSync(changed, 'utf8')).toBe(text)
    expect(trustOf(workspace)).toBe('changed')
  })

  test('the digests cover only the trusted content and the rules', async () => {
    const workspace = await opened(projectFolder())
    const before = workspace.digests
    await rememberRules(workspace, [RULE], 'folder')
    const { digests } = loadSettings(workspace.folder, workspace)
    expect(trustedFolders(trustFile(workspace))).toMatchObject([
      { folder: workspace.folder, digests: [...digests, ...before] },
    ])
  })
})

describe('local settings of a hostile folder are rejected', () => {
  const index = (name: string): Uint8Array =>
    readFileSync(new URL(`../../test/fixtures/git-index/${name}.index`, import.meta.url))

  test.each<[name: string, prepare: (folder: string) => void, message: string]>([
    [
      'a link out of it',
      (folder) => symlinkSync(join(folderOf({ x: '{}' }), 'x'), localFile(folder)),
      'is a link',
    ],
    [
      'a link to another file in it',
      (folder) => symlinkSync('../package.json', localFile(folder)),
      'is a link',
    ],
    ['a link to nothing', (folder) => symlinkSync('/nowhere/x', localFile(folder)), 'is a link'],
    [
      'a folder that is a link',
      (folder) => {
        rmSync(dirname(localFile(folder)), { recursive: true })
        symlinkSync(folderOf(), dirname(localFile(folder)))
      },
      'is a link',
    ],
    ['a folder', (folder) => mkdirSync(localFile(folder)), 'not a regular file'],
    ['too large', (folder) => writeFileSync(localFile(folder), ' '.repeat(2 << 20)), 'larger than'],
    ['invalid', (folder) => writeFileSync(localFile(folder), '{"a": '), 'Fix that first'],
    [
      'not UTF-8',
      (folder) => writeFileSync(localFile(folder), new Uint8Array([0x7b, 0xff, 0x7d])),
      'not UTF-8',
    ],
    [
      'tracked',
      (folder) => writeFileSync(join(folder, '.git/index'), index('tracked-2')),
      'may be tracked by Git',
    ],
    [
      'in an index that cannot be read',
      (folder) => writeFileSync(join(folder, '.git/index'), 'DIRC?'),
      'may be tracked by Git',
    ],
  ])('%s', async (_, prepare, message) => {
    const workspace = await opened(projectFolder({ 'package.json': '{}' }))
    prepare(workspace.folder)
    await expectRefusal(workspace, 'folder', message)
    expect(readFileSync(join(workspace.folder, 'package.json'), 'utf8')).toBe('{}')
  })

  test('but not an untracked file in a repository', async () => {
    const workspace = await opened(projectFolder({ '.git/index': index('untracked-2') }))
    await rememberRules(workspace, [RULE], 'folder')
    expect(trustOf(workspace)).toBe('trusted')
  })
})
