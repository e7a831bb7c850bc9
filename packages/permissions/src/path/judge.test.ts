import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RuleTexts, rulesOf } from '../../test/rules.ts'
import { makeWorkspace, type Workspace } from '../../test/workspace.ts'
import { nodeFileSystem } from '../node/file-system.ts'
import type { DecisionPart } from '../decide/decision.ts'
import type { FileOperation } from '../decide/operation.ts'
import type { Verdict } from '../rule/rule.ts'
import type { FileSystemView } from '../decide/file-system.ts'
import { judgeFile } from './judge.ts'

let workspace: Workspace

beforeAll(() => {
  workspace = makeWorkspace()
  for (const path of ['.env', 'src/a.ts', 'certs/server.pem', 'notes.txt', 'lib/b.ts'])
    workspace.write(path)
  for (const path of ['../work-two/src/a.ts', 'café.txt', 'tools/.git/config'])
    workspace.write(path)
  workspace.write(`${workspace.home}/.bashrc`)
  workspace.link('src/one', '../certs/server.pem')
  workspace.link('src/chain', 'chain2')
  workspace.link('src/chain2', 'chain3')
  workspace.link('src/chain3', '../.env')
  workspace.link('src/host', '/etc/hostname')
  workspace.link('src/key.md', `${workspace.home}/.ssh/id_rsa`)
  workspace.link('src/rc.ts', `${workspace.home}/.bashrc`)
  workspace.link('src/out', '/tmp')
  workspace.link('src/in', '../lib')
  workspace.link('src/round', 'round')
  workspace.link('src/hooks', '../tools/.git')
  workspace.link('linkdir', 'certs')
  workspace.hardLink('src/hard', '.env')
  workspace.hardLink('src/hard2', 'certs/server.pem')
})
afterAll(() => workspace.remove())

/** `$WORK` and `$HOME` are replaced by the real folders. */
const real = (text: string): string =>
  text.replaceAll('$WORK', workspace.cwd).replaceAll('$HOME', workspace.home)

function judge(
  operation: Partial<FileOperation>,
  texts: RuleTexts,
  change: Partial<FileSystemView> = {},
): DecisionPart {
  const fileSystem = { ...nodeFileSystem(workspace), ...change }
  const lists = Object.values(texts).map((list: readonly string[]) => list.map(real))
  const rules = rulesOf(
    Object.fromEntries(Object.keys(texts).map((key, at) => [key, lists[at]!])),
    workspace.cwd,
  )
  const { path } = operation
  return judgeFile(
    rules,
    fileSystem,
  )({
    kind: 'read',
    cwd: workspace.cwd,
    because: 'test',
    ...operation,
    path: path === undefined ? undefined : real(path),
  })
}

const SOME: RuleTexts = {
  allow: ['Read(src/**)', 'Read(**/*.md)', 'Read(**/*.txt)'],
  deny: ['Read(.env)', 'Read(.env.*)', 'Read(secrets/**)', 'Read(**/*.pem)', 'Read(**/*secret*)'],
}

describe('reading, if rules list the readable files', () => {
  test.each<[string, string, Verdict]>([
    ['path-001', 'src/a.ts', 'allow'],
    ['path-002', '$WORK/src/a.ts', 'allow'],
    ['path-003', 'src/deep/er/a.ts', 'allow'],
    ['path-005', 'docs/x.md', 'allow'],
    ['path-011', '/$WORK/.env', 'deny'],
    ['path-012', '$WORK/./.env', 'deny'],
    ['path-015', 'src/../.env', 'deny'],
    ['path-016', 'src/x/../../.env', 'deny'],
    ['path-017', 'src/./../.env', 'deny'],
    ['path-018', '/proc/self/cwd/.env', 'deny'],
    ['path-020', '/proc/thread-self/root$WORK/.env', 'deny'],
    ['path-021', '.env/', 'deny'],
    ['path-022', '.env/.', 'deny'],
    ['path-023', 'packages/a/.env', 'deny'],
    ['path-024', '.env.local', 'deny'],
    ['path-025', 'packages/a/.env.production', 'deny'],
    ['path-031', 'secrets/../secrets/x', 'deny'],
    ['path-033', 'src/secret/plain.txt', 'deny'],
    ['path-037', 'SECRETS/x', 'deny'],
    ['path-038', 'certs/SERVER.PEM', 'deny'],
    ['path-039', 'certs/server.pEm', 'deny'],
    ['path-040', '.\uff45nv', 'deny'],
    ['path-041', 'secre\u0074s/x', 'deny'],
    ['path-044', '.e\u200bnv', 'ask'],
    ['path-045', 'src/\u202egnp.exe', 'ask'],
    ['path-049', 'src-two/a.ts', 'ask'],
    ['path-050', 'srcx/a.ts', 'ask'],
    ['path-051', '../work-two/src/a.ts', 'ask'],
    ['path-052', '$WORK-two/a.md', 'ask'],
    ['path-053', 'lib/src/a.ts', 'ask'],
    ['path-054', 'SRC/a.ts', 'ask'],
    ['path-055', 'src/../../etc/passwd', 'ask'],
    ['path-057', '/etc/passwd', 'ask'],
    ['path-059', '~root/x.md', 'ask'],
    ['path-061', 'file://$WORK/src/a.ts', 'ask'],
    ['path-064', '..\\..\\x.md', 'ask'],
    ['path-066', '/dev/stdin', 'ask'],
    ['path-067', '/proc/self/environ', 'ask'],
    ['path-068', '/proc/1/environ', 'ask'],
    ['path-070', '/sys/kernel/x.md', 'ask'],
    ['path-071', '/dev/fd/3', 'ask'],
    ['path-072', '/dev/tcp/192.0.2.1/80', 'ask'],
    ['path-074', '.', 'ask'],
    ['path-076', '\\\\server\\share\\x.md', 'ask'],
    ['path-077', '//server/share/x.md', 'ask'],
    ['path-079', 'src/con', 'ask'],
    ['path-087', 'src/one', 'deny'],
    ['path-089', 'src/chain', 'deny'],
    ['path-090', 'src/host', 'ask'],
    ['path-091', 'src/key.md', 'ask'],
    ['a link to a folder', 'linkdir/server.pem', 'deny'],
    ['a link through a process', '/proc/self/cwd/src/chain', 'deny'],
    ['a link inside, to what no rule allows', 'src/in/b.ts', 'ask'],
    ['a loop of links', 'src/round', 'ask'],
    ['nothing', '', 'ask'],
    ['the home', '~/x.md', 'ask'],
  ])('%s %s: %s', (_, path, verdict) => {
    expect(judge({ path }, SOME).verdict).toBe(verdict)
  })

  test('path-060 a variable is neither expanded nor treated as a folder', () => {
    const fileSystem = nodeFileSystem(workspace)
    const operation = {
      kind: 'read',
      cwd: fileSystem.cwd,
      path: '$HOME/x.md',
      because: '',
    } as const
    expect(judgeFile(rulesOf(SOME), fileSystem)(operation).verdict).toBe('ask')
  })

  test.each<[string, string]>([
    ['path-081', '.env.'],
    ['path-082', '.env '],
    ['path-083', '.env::$DATA'],
    ['path-084', 'SECRET~1/x'],
    ['path-085', './.env.\\'],
    ['WIN-02', '\\\\?\\C:$WORK\\.env'],
  ])('%s %s on Windows: deny', (_, path) => {
    expect(judge({ path }, SOME, { platform: 'win32', caseSensitive: false }).verdict).toBe('deny')
  })

  test.each<[string, string, Verdict]>([
    ['WIN-01', 'C:$WORK\\.env', 'deny'],
    ['WIN-02', '\\\\?\\C:$WORK\\.env', 'deny'],
    ['WIN-03', '\\??\\C:$WORK\\.env', 'deny'],
    ['WIN-04', '\\\\server\\share\\f', 'ask'],
    ['WIN-05', '.env::$DATA', 'deny'],
    ['a device', '\\\\.\\PhysicalDrive0', 'deny'],
  ])('%s %s elsewhere: %s', (_, path, verdict) => {
    expect(judge({ path }, { ...SOME, allow: ['Read(**)'] }).verdict).toBe(verdict)
  })
})

describe('spellings of a path', () => {
  test.each<[string, string, RuleTexts, Verdict]>([
    ['TRAV-02', '$WORK-two/src/a.ts', { allow: ['Read(/$WORK/**)'] }, 'ask'],
    ['TRAV-05', './././.env', { deny: ['Read(.env)'] }, 'deny'],
    ['TRAV-07', '.env/', { deny: ['Read(.env)'] }, 'deny'],
    ['TRAV-07 in the rule', '.env', { deny: ['Read(.env/)'] }, 'deny'],
    ['TRAV-08', 'a/../.env', { deny: ['Read(.env)'] }, 'deny'],
    ['TRAV-09', '.env\u0000.txt', { deny: ['Read(.env)'] }, 'deny'],
    ['TRAV-10', 'a..b/file', { allow: ['Read(**)'] }, 'allow'],
    ['TRAV-11', '%2e%2e/x', { allow: ['Read(**)'] }, 'allow'],
    [
      'LINK-06',
      'src/hard',
      { allow: ['Read(src/**)', 'Edit(src/**)'], deny: ['Read(.env)'] },
      'deny',
    ],
    ['LINK-06 without a rule', 'src/hard', {}, 'allow'],
    ['CASE-01', '.ENV', { deny: ['Read(.env)'] }, 'deny'],
    ['CASE-02', 'cafe\u0301.txt', { deny: ['Read(caf\u00e9.txt)'] }, 'deny'],
    ['CASE-02 the other way', 'caf\u00e9.txt', { deny: ['Read(cafe\u0301.txt)'] }, 'deny'],
    ['a long s', '\u017fecrets/x', { deny: ['Read(secrets/**)'] }, 'deny'],
    ['a class', 'b.txt', { deny: ['Read([!a]*)'] }, 'deny'],
    ['a class, in the other case', 'A.txt', { deny: ['Read([!a]*)'] }, 'deny'],
    ['a class of the other case', 'a.txt', { deny: ['Read([!A]*)'] }, 'deny'],
    ['a class that leaves it out', 'a.txt', { deny: ['Read([!a]*)'] }, 'allow'],
    [
      'glob-038',
      'a/'.repeat(60) + 'y',
      { allow: ['Read(**)'], deny: [`Read(${'**/'.repeat(14)}x)`] },
      'allow',
    ],
    [
      'glob-039',
      'a'.repeat(200),
      { allow: ['Read(**)'], deny: [`Read(${'*a'.repeat(12)}*b)`] },
      'allow',
    ],
    ['too long', 'a/'.repeat(500_000), { allow: ['Read(**)'] }, 'ask'],
    ['too long, and denied', 'a/../'.repeat(200_000) + '.env', { deny: ['Read(.env)'] }, 'deny'],
  ])('%s', (_, path, texts, verdict) => {
    expect(judge({ path }, texts).verdict).toBe(verdict)
  })
})

describe('the start of a pattern', () => {
  test.each<[string, string, RuleTexts, Verdict]>([
    ['the disk', '/etc/hosts', { allow: ['Read(//etc/hosts)'] }, 'allow'],
    [
      'the disk, a link out of it',
      'src/host',
      { allow: ['Read(src/**)', 'Read(//etc/**)'] },
      'allow',
    ],
    ['the home', '$HOME/notes/x', { allow: ['Read(~/notes/**)'] }, 'allow'],
    ['the home, denied', '$HOME/.ssh/id', { deny: ['Read(~/.ssh)'] }, 'deny'],
    ['the settings', 'docs/x', { deny: ['Read(/docs)'] }, 'deny'],
    ['the settings, deeper', 'a/docs/x', { deny: ['Read(/docs)'] }, 'allow'],
    ['here', 'a/.env', { deny: ['Read(./.env)'] }, 'allow'],
    ['any depth', 'a/b/.env', { deny: ['Read(.env)'] }, 'deny'],
    ['any depth, outside', '/srv/app/.env', { deny: ['Read(.env)'] }, 'deny'],
    ['any depth, a folder', 'a/secrets/b/c', { deny: ['Read(secrets/**)'] }, 'deny'],
    ['two names are not at any depth', 'a/b/c/x', { deny: ['Read(b/c)'] }, 'allow'],
    ['above', '../other/x', { allow: ['Read(../other/**)'] }, 'allow'],
    ['the folder itself is not in it', 'src', { allow: ['Read(src/**)'] }, 'ask'],
    ['the folder itself, denied with what is in it', 'src', { deny: ['Read(src/**)'] }, 'deny'],
    ['an allowed name is anchored', 'a/b.md', { allow: ['Read(*.md)'] }, 'ask'],
    [
      'a rule about elsewhere narrows nothing',
      'lib/b.ts',
      { allow: ['Read(~/notes/**)'] },
      'allow',
    ],
    ['a whole tool is allowed in the workspace', 'lib/b.ts', { allow: ['Read'] }, 'allow'],
    ['a whole tool is not allowed outside', '/etc/hosts', { allow: ['Read'] }, 'ask'],
  ])('%s: %s', (_, path, texts, verdict) => {
    expect(judge({ path }, texts).verdict).toBe(verdict)
  })

  test('a workspace inside a folder with a denied name can be used', () => {
    const inner = {
      ...nodeFileSystem({ cwd: '/srv/secrets/app' }),
      follow: (path: string) => [path],
    }
    const rules = rulesOf({ deny: ['Read(secrets/**)'] })
    const read = (path: string): Verdict =>
      judgeFile(rules, inner)({ kind: 'read', path, cwd: inner.cwd, because: '' }).verdict
    expect(read('a.ts')).toBe('allow')
    expect(read('secrets/a.ts')).toBe('deny')
    expect(read('../other/a.ts')).toBe('deny')
  })

  test('a class also matches the original name', () => {
    const inner = { ...nodeFileSystem({ cwd: '/srv/app' }), follow: (path: string) => [path] }
    const read = judgeFile(rulesOf({ deny: ['Read([!A]*)'] }), inner)
    const operation = { kind: 'read', path: 'a.txt', cwd: inner.cwd, because: '' } as const
    expect(read(operation).verdict).toBe('deny')
  })

  test('a workspace reached by a link is the same workspace', () => {
    workspace.link('../short', 'work')
    const fileSystem = nodeFileSystem({ cwd: `${workspace.cwd}/../short`, home: workspace.home })
    const read = judgeFile(rulesOf({ allow: ['Read(src/**)'], deny: ['Read(.env)'] }), fileSystem)
    const at = (path: string): Verdict =>
      read({ kind: 'read', path, cwd: fileSystem.cwd, because: '' }).verdict
    expect(at('src/a.ts')).toBe('allow')
    expect(at(`${workspace.cwd}/src/a.ts`)).toBe('allow')
    expect(at('.env')).toBe('deny')
  })
})

describe('the operations that rules cover', () => {
  test.each<[string, Partial<FileOperation>, RuleTexts, Verdict]>([
    ['S1', { path: 'lib/b.ts' }, {}, 'allow'],
    ['S1', { path: '.', kind: 'list' }, {}, 'allow'],
    ['S1', { path: 'lib/b.ts', kind: 'write' }, {}, 'ask'],
    ['S1', { path: '/etc', kind: 'list' }, {}, 'ask'],
    [
      'TOOL-01 path-102',
      { path: '.env', tool: 'Grep' },
      { allow: ['Grep'], deny: ['Read(.env)'] },
      'deny',
    ],
    [
      'TOOL-03',
      { path: 'secrets', kind: 'list', tool: 'Glob' },
      { allow: ['Glob'], deny: ['Read(secrets/**)'] },
      'deny',
    ],
    [
      'TOOL-04 path-098',
      { path: '.env', kind: 'write' },
      { allow: ['Edit(**)'], deny: ['Read(.env)'] },
      'deny',
    ],
    [
      'TOOL-05 path-113',
      { path: '.env', tool: 'LSP' },
      { allow: ['LSP'], deny: ['Read(.env)'] },
      'deny',
    ],
    ['path-106', { path: '.', tool: 'Grep' }, { allow: ['Grep'], deny: SOME.deny! }, 'allow'],
    [
      'path-109',
      { path: '.', kind: 'list', tool: 'Glob' },
      { allow: ['Glob'], deny: SOME.deny! },
      'allow',
    ],
    ['path-111', { path: '/', kind: 'list', tool: 'Glob' }, { allow: ['Glob'] }, 'ask'],
    ['glob-041', { path: 'x', kind: 'write' }, { allow: ['Read(**)'] }, 'ask'],
    [
      'path-143',
      { path: 'src/new/deep/file.ts', kind: 'write' },
      { allow: ['Write(src/**)'] },
      'allow',
    ],
    ['path-145', { path: 'src/rc.ts', kind: 'write' }, { allow: ['Write(src/**)'] }, 'ask'],
    [
      'LINK-03',
      { path: 'src/out/new.txt', kind: 'write' },
      { allow: ['Read(src/**)', 'Edit(src/**)'] },
      'ask',
    ],
    [
      'Edit is Write',
      { path: 'src/a.ts', kind: 'write' },
      { allow: ['Write(src/**)'], deny: ['Edit(src/a.ts)'] },
      'deny',
    ],
    [
      'Write is Edit',
      { path: 'src/a.ts', kind: 'write' },
      { allow: ['Edit(src/**)'], deny: ['Write(src/a.ts)'] },
      'deny',
    ],
    [
      'a notebook',
      { path: 'src/a.ts', kind: 'write' },
      { deny: ['NotebookEdit(src/a.ts)'] },
      'deny',
    ],
    ['allowing writing allows reading', { path: '/srv/x' }, { allow: ['Edit(//srv/**)'] }, 'allow'],
    [
      'denying writing does not deny reading',
      { path: 'src/a.ts' },
      { deny: ['Edit(src/**)'] },
      'allow',
    ],
    [
      'a rule that asks',
      { path: 'src/a.ts' },
      { allow: ['Read(src/**)'], ask: ['Read(src/a.ts)'] },
      'ask',
    ],
    [
      'a rule that asks, about writing',
      { path: 'src/a.ts', kind: 'write' },
      { allow: ['Edit(**)'], ask: ['Read(src/a.ts)'] },
      'ask',
    ],
    [
      'deny comes before ask',
      { path: 'src/a.ts' },
      { ask: ['Read(src/a.ts)'], deny: ['Read(src/**)'] },
      'deny',
    ],
    [
      'no reading at all',
      { path: 'src/a.ts', kind: 'write' },
      { allow: ['Edit(**)'], deny: ['Read'] },
      'deny',
    ],
    ['no tool at all, but another', { path: 'src/a.ts' }, { deny: ['Grep'] }, 'allow'],
    ['its own rule', { path: 'lib', tool: 'Grep' }, { deny: ['Grep(lib/**)'] }, 'deny'],
    ['an invalid pattern denies', { path: 'src/a.ts' }, { deny: ['Read([)'] }, 'deny'],
    ['an invalid pattern allows nothing', { path: '/etc/hosts' }, { allow: ['Read([)'] }, 'ask'],
    ['an unknown path', { path: undefined }, { allow: ['Read(**)'] }, 'ask'],
    ['an unknown path, and all are denied', { path: undefined }, { deny: ['Read'] }, 'deny'],
    ['an unknown folder', { path: 'src/a.ts', cwd: undefined }, { allow: ['Read(**)'] }, 'ask'],
    [
      'an unknown folder, and it is denied',
      { path: '.env', cwd: undefined },
      { deny: ['Read(.env)'] },
      'deny',
    ],
    ['redirect-056', { path: 'certs' }, { deny: ['Read(**/*.pem)'] }, 'ask'],
    ['redirect-066', { path: 'src/hard' }, { deny: ['Read(.env)', 'Read(**/*.pem)'] }, 'deny'],
    ['redirect-082', { path: '.' }, { deny: ['Read(.env)'] }, 'ask'],
    [
      'a folder above where the rule begins',
      { path: '..' },
      { allow: ['Read(//**)'], deny: ['Read(./x)'] },
      'ask',
    ],
    ['a folder that nothing is denied in', { path: 'lib' }, { deny: ['Read(./src/**)'] }, 'allow'],
    ['a file of two names', { path: 'src/hard2', kind: 'write' }, { allow: ['Edit(**)'] }, 'ask'],
    ['nowhere', { path: '/dev/null', kind: 'write' }, {}, 'allow'],
    ['nowhere, denied', { path: '/dev/null', kind: 'write' }, { deny: ['Write'] }, 'deny'],
  ])('%s %o', (_, operation, texts, verdict) => {
    expect(judge(operation, texts).verdict).toBe(verdict)
  })

  test('path-146 a file replaced by a link is judged again', () => {
    const write = (): Verdict =>
      judge({ path: 'src/swap.ts', kind: 'write' }, { allow: ['Write(src/**)'] }).verdict
    expect(write()).toBe('allow')
    workspace.link('src/swap.ts', '/tmp/elsewhere')
    expect(write()).toBe('ask')
  })

  test('rules added to a list apply', () => {
    const rules = rulesOf({ allow: ['Read(**)'] })
    const fileSystem = nodeFileSystem(workspace)
    const operation = { kind: 'read', path: '.env', cwd: fileSystem.cwd, because: '' } as const
    expect(judgeFile(rules, fileSystem)(operation).verdict).toBe('allow')
    rules.push(...rulesOf({ deny: ['Read(.env)'] }))
    expect(judgeFile(rules, fileSystem)(operation).verdict).toBe('deny')
  })
})

describe('reasons', () => {
  test('contain the rule and the target of a link', () => {
    const part = judge({ path: 'src/one' }, SOME)
    expect(part.rule?.text).toBe('Read(**/*.pem)')
    expect(part.why).toBe(
      `the rule Read(**/*.pem) denies it (src/one leads to ${workspace.cwd}/certs/server.pem)`,
    )
    expect(part.what).toBe('read src/one')
  })

  test('spell out invisible characters', () => {
    const part = judge({ path: 'src/\u202egnp.exe' }, SOME)
    expect(part.what).toBe('read src/‹U+202E›gnp.exe')
    expect(part.why).toContain('U+202E')
  })

  test('a write without a rule may be allowed by a mode', () => {
    expect(judge({ path: 'new.ts', kind: 'write' }, {})).toMatchObject({ unspoken: true })
    for (const path of ['.git/config', '/tmp/x', 'src/rc.ts', 'src\\x'])
      expect(judge({ path, kind: 'write' }, {})).not.toHaveProperty('unspoken')
    expect(judge({ path: 'x', kind: 'write' }, { ask: ['Edit(x)'] })).not.toHaveProperty('unspoken')
  })
})

describe('paths that always need approval', () => {
  test.each([
    ['path-123 SELF-01', '.git/config'],
    ['SELF-02', '.git/hooks/pre-commit'],
    ['path-127', '.mcp.json'],
    ['path-129', '.vscode/tasks.json'],
    ['path-131 SELF-03', '.envrc'],
    ['SELF-03', '.npmrc'],
    ['SELF-03', '.husky/x'],
    ['SELF-03', 'package.json'],
    ['path-133', '.ripgreprc'],
    ['path-134', '.bashrc'],
    ['path-135', '$HOME/.zshenv'],
    ['path-136', '$HOME/.ssh/authorized_keys'],
    ['path-137', 'sub/.git/hooks/post-checkout'],
    ['path-138', '.GIT/hooks/pre-commit'],
    ['path-139', '.git\\hooks\\pre-commit'],
    ['path-142', 'AGENTS.md'],
    ['own settings', '.toolglot/settings.json'],
    ['own records', '.local/state/toolglot/journal.db'],
    ['by a link', 'src/hooks/config'],
    ['by a process', '/proc/self/cwd/.git/config'],
    ['CI workflows', '.github/workflows/build.yml'],
    ['another agent', '.cursor/mcp.json'],
  ])('%s: writing %s needs approval', (_, path) => {
    const texts = { allow: ['Write(**)', 'Edit(**)', 'Edit(~/**)', 'Edit(//**)'] }
    expect(judge({ path, kind: 'write' }, texts).verdict).toBe('ask')
    expect(judge({ path: 'src/plain.ts', kind: 'write' }, texts).verdict).toBe('allow')
  })

  test('similar names are not protected', () => {
    for (const path of ['.gitignore', 'src/git/config.ts', 'docs/agents.txt', '.github/CODEOWNERS'])
      expect(judge({ path, kind: 'write' }, { allow: ['Edit(**)'] }).verdict).toBe('allow')
  })

  test.each([
    '/',
    '/etc',
    '/home/someone',
    '$HOME',
    '$HOME/..',
    '.',
    '..',
    '$WORK/',
    'src/..',
    '/mnt/c',
    'C:\\',
  ])('removing %s needs approval', (path) => {
    const operation = { path, kind: 'write', removes: true } as const
    expect(judge(operation, { allow: ['Edit', 'Edit(//**)', 'Edit(//)'] }).verdict).toBe('ask')
  })

  test('removing a folder that a rule may partly cover needs approval', () => {
    const remove = (path: string, texts: RuleTexts): Verdict =>
      judge({ path, kind: 'write', removes: true }, texts).verdict
    expect(remove('lib', { allow: ['Edit(**)'] })).toBe('allow')
    expect(remove('lib', { allow: ['Edit(**)'], deny: ['Edit(./lib/keep)'] })).toBe('ask')
    expect(remove('lib', { allow: ['Edit(**)'], deny: ['Read(.env)'] })).toBe('ask')
    expect(remove('lib', { allow: ['Edit(**)'], deny: ['Edit(./src/**)'] })).toBe('allow')
  })
})

test('a file that a tool wrote for reading may be read anywhere, unless denied', () => {
  const path = `${workspace.home}/.bashrc`
  const change = { wrote: (each: string): boolean => each === path }
  expect(judge({ path }, {}).verdict).toBe('ask')
  expect(judge({ path }, {}, change).verdict).toBe('allow')
  expect(judge({ path: `${path}2` }, {}, change).verdict).toBe('ask')
  expect(judge({ kind: 'write', path }, {}, change).verdict).toBe('ask')
  expect(judge({ path }, { deny: ['Read(~/.bashrc)'] }, change).verdict).toBe('deny')
})

test('a hard link needs approval like the file itself', () => {
  expect(judge({ path: 'src/hard' }, { ask: ['Read(.env)'] })).toMatchObject({
    verdict: 'ask',
    rule: { text: 'Read(.env)' },
  })
})
