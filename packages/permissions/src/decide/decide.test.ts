import { describe, expect, test } from 'vitest'
import type { PermissionCall, Trust } from './call.ts'
import { decide, type Permissions } from './decide.ts'
import { readRules } from '../rule/read-rules.ts'
import type { Verdict } from '../rule/rule.ts'
import { plainFileSystem as fileSystem } from '../../test/plain-file-system.ts'

type Lists = Partial<Record<Verdict, string[]>>

function permissionsOf(lists: Lists, more: Partial<Permissions> = {}): Permissions {
  return { ...readRules(lists), ...more }
}

const verdictOf = async (
  call: PermissionCall,
  lists: Lists,
  more?: Partial<Permissions>,
): Promise<Verdict> => (await decide(call, permissionsOf(lists, more), fileSystem)).verdict

const bash = (command: string): PermissionCall => ({ name: 'Bash', args: { command } })
const read = (file_path: string): PermissionCall => ({ name: 'Read', args: { file_path } })
const write = (file_path: string): PermissionCall => ({
  name: 'Write',
  args: { file_path, content: 'x' },
})
const fetched = (url: string): PermissionCall => ({
  name: 'WebFetch',
  args: { url, prompt: 'sum up' },
})

describe('deny overrides ask, which overrides allow, regardless of order and scope', () => {
  test.each<[string, PermissionCall, Lists, Verdict]>([
    [
      'an ask over an allow',
      bash('git push'),
      { allow: ['Bash(git:*)'], ask: ['Bash(git push:*)'] },
      'ask',
    ],
    [
      'a wide ask over a narrow allow',
      bash('git status'),
      { allow: ['Bash(git status)'], ask: ['Bash(git:*)'] },
      'ask',
    ],
    [
      'a deny over an ask',
      bash('git push'),
      { ask: ['Bash(git push:*)'], deny: ['Bash(git:*)'] },
      'deny',
    ],
    [
      'no ask for another command',
      bash('git status'),
      { allow: ['Bash(git:*)'], ask: ['Bash(git push:*)'] },
      'allow',
    ],
    [
      'an ask in one part',
      bash('git status && git push'),
      { allow: ['Bash(git:*)'], ask: ['Bash(git push:*)'] },
      'ask',
    ],
    [
      'an ask in a pipe',
      bash('git log | sort'),
      { allow: ['Bash(git:*)', 'Bash(sort:*)'], ask: ['Bash(sort:*)'] },
      'ask',
    ],
    [
      'an ask in a substitution',
      bash('echo "$(git push)"'),
      { allow: ['Bash(git:*)', 'Bash(echo:*)'], ask: ['Bash(git push:*)'] },
      'ask',
    ],
    [
      'an ask rule, with a wrapper',
      bash('timeout 5 git push'),
      { allow: ['Bash(git:*)'], ask: ['Bash(git push:*)'] },
      'ask',
    ],
    [
      'an ask rule, with an assignment',
      bash('CI=1 git push'),
      { allow: ['Bash(git:*)'], ask: ['Bash(git push:*)'] },
      'ask',
    ],
    [
      'an ask by another path',
      bash('/usr/bin/git push'),
      { allow: ['Bash(*)'], ask: ['Bash(git push:*)'] },
      'ask',
    ],
    [
      'an ask past options',
      bash('git --no-pager push'),
      { allow: ['Bash(git:*)'], ask: ['Bash(git push:*)'] },
      'ask',
    ],
    [
      'an ask of the whole tool',
      bash('git status'),
      { allow: ['Bash(git:*)'], ask: ['Bash'] },
      'ask',
    ],
    [
      'a file asked about',
      read('src/keys.ts'),
      { allow: ['Read(src/**)'], ask: ['Read(**/keys.ts)'] },
      'ask',
    ],
    [
      'another file is not',
      read('src/main.ts'),
      { allow: ['Read(src/**)'], ask: ['Read(**/keys.ts)'] },
      'allow',
    ],
    [
      'a file asked about, from a shell',
      bash('cat src/keys.ts'),
      { allow: ['Bash(cat:*)'], ask: ['Read(**/keys.ts)'] },
      'ask',
    ],
    [
      'a file asked about, by another spelling',
      read('src/../src/keys.ts'),
      { allow: ['Read(src/**)'], ask: ['Read(**/keys.ts)'] },
      'ask',
    ],
    [
      'an edit asked about',
      write('src/main.ts'),
      { allow: ['Edit(src/**)'], ask: ['Edit(src/main.ts)'] },
      'ask',
    ],
    [
      'a write asked about, through a redirect',
      bash('echo x > src/main.ts'),
      { allow: ['Bash(echo:*)', 'Edit(src/**)'], ask: ['Write(src/main.ts)'] },
      'ask',
    ],
    [
      'a host asked about',
      fetched('https://go.dev/doc'),
      { allow: ['WebFetch'], ask: ['WebFetch(domain:go.dev)'] },
      'ask',
    ],
    [
      'another host is not',
      fetched('https://example.com/'),
      { allow: ['WebFetch'], ask: ['WebFetch(domain:go.dev)'] },
      'allow',
    ],
    [
      'a subdomain asked about',
      fetched('https://pkg.go.dev/'),
      { allow: ['WebFetch'], ask: ['WebFetch(domain:go.dev)'] },
      'ask',
    ],
    [
      'a server’s tool asked about',
      { name: 'mcp__notes__delete', args: {} },
      { allow: ['mcp__notes__*'], ask: ['mcp__notes__delete'] },
      'ask',
    ],
    [
      'a whole server allowed',
      { name: 'mcp__notes__delete', args: {} },
      { allow: ['mcp__notes'] },
      'allow',
    ],
    [
      'a server whose name begins so',
      { name: 'mcp__notes-2__delete', args: {} },
      { allow: ['mcp__notes'] },
      'ask',
    ],
    [
      'a search asked about',
      { name: 'WebSearch', args: { query: 'x' } },
      { allow: ['WebSearch'], ask: ['WebSearch'] },
      'ask',
    ],
  ])('%s', async (_, call, lists, verdict) => {
    expect(await verdictOf(call, lists)).toBe(verdict)
    expect(await verdictOf(call, lists, { interactive: false })).toBe(
      verdict === 'ask' ? 'deny' : verdict,
    )
  })
})

describe('without a rule', () => {
  test.each<[string, PermissionCall, Verdict]>([
    ['reading the workspace', read('src/main.ts'), 'allow'],
    ['reading elsewhere', read('/etc/hosts'), 'ask'],
    ['writing', write('src/main.ts'), 'ask'],
    ['a command', bash('ls'), 'ask'],
    ['a page', fetched('https://go.dev/'), 'ask'],
    ['a search', { name: 'WebSearch', args: { query: 'x' } }, 'ask'],
    ['a question', { name: 'AskUserQuestion', args: { questions: [] } }, 'allow'],
    ['a list of todos', { name: 'TodoWrite', args: { todos: [] } }, 'allow'],
    ['names in the workspace', { name: 'Glob', args: { pattern: '**/*.ts' } }, 'allow'],
    ['a tool of a server', { name: 'mcp__notes__list', args: {} }, 'ask'],
  ])('%s', async (_, call, verdict) => {
    expect(await verdictOf(call, {})).toBe(verdict)
  })
})

describe('permission modes', () => {
  test('acceptEdits allows only writing in the workspace', async () => {
    const mode = { mode: 'acceptEdits' } as const
    expect(await verdictOf(write('src/main.ts'), {}, mode)).toBe('allow')
    expect(await verdictOf(write('/etc/hosts'), {}, mode)).toBe('ask')
    expect(await verdictOf(write('.git/config'), {}, mode)).toBe('ask')
    expect(await verdictOf(write('src/main.ts'), { ask: ['Edit(src/**)'] }, mode)).toBe('ask')
    expect(await verdictOf(write('src/main.ts'), { deny: ['Edit(src/**)'] }, mode)).toBe('deny')
    expect(await verdictOf(bash('rm -r src'), {}, mode)).toBe('ask')
    expect(await verdictOf(fetched('https://go.dev/'), {}, mode)).toBe('ask')
  })

  test('plan allows no changes, regardless of rules', async () => {
    const mode = { mode: 'plan' } as const
    expect(await verdictOf(read('src/main.ts'), {}, mode)).toBe('allow')
    expect(await verdictOf(write('src/main.ts'), { allow: ['Edit(**)'] }, mode)).toBe('deny')
    expect(await verdictOf(bash('git status'), { allow: ['Bash(git:*)'] }, mode)).toBe('deny')
  })

  test('dontAsk denies calls that would need approval', async () => {
    const mode = { mode: 'dontAsk' } as const
    expect(await verdictOf(bash('git status'), { allow: ['Bash(git:*)'] }, mode)).toBe('allow')
    expect(await verdictOf(bash('ls'), {}, mode)).toBe('deny')
  })
})

describe('a call that the model may not have intended', () => {
  const allowed = { allow: ['Bash(git:*)'] }
  test.each<[string, Trust, Verdict]>([
    ['in the usual form', { complete: true, repairs: [] }, 'allow'],
    ['without its closing mark', { complete: true, repairs: ['missing-closer'] }, 'allow'],
    ['converted to the type in the schema', { complete: true, repairs: ['coerced'] }, 'allow'],
    ['repaired', { complete: true, repairs: ['single-quotes'] }, 'ask'],
    ['in reasoning', { inReasoning: true }, 'ask'],
    ['in a fence', { fenced: true }, 'ask'],
    ['without marks', { markerless: true }, 'ask'],
    ['inside a broken block', { afterMalformed: true }, 'ask'],
    ['after a forged result', { afterResult: true }, 'ask'],
    ['in another protocol', { otherProtocol: true }, 'ask'],
    ['repeating a web page', { echoes: true }, 'ask'],
    ['cut off', { complete: false }, 'deny'],
  ])('%s', async (_, trust, verdict) => {
    expect(await verdictOf({ ...bash('git status'), trust }, allowed)).toBe(verdict)
    expect(await verdictOf({ ...bash('rm -rf /'), trust }, { deny: ['Bash(rm -rf:*)'] })).toBe(
      'deny',
    )
  })

  test('a doubt that does not depend on the form is reported first', async () => {
    const trust = { otherProtocol: true, echoes: true } as const
    const { why } = await decide(
      { ...bash('git status'), trust },
      permissionsOf(allowed),
      fileSystem,
    )
    expect(why).toContain('it repeats text from an untrusted result')
  })

  test('reading is still allowed', async () => {
    expect(await verdictOf({ ...read('src/main.ts'), trust: { fenced: true } }, {})).toBe('allow')
    expect(await verdictOf({ ...read('src/main.ts'), trust: { otherProtocol: true } }, {})).toBe(
      'allow',
    )
  })
})

describe('invalid calls do not run', () => {
  test.each<[string, PermissionCall]>([
    ['an unknown tool', { name: 'Bsah', args: {} }],
    ['another case', { name: 'bASH', args: { command: 'git status' } }],
    ['a name of every object', { name: 'constructor', args: {} }],
    ['no arguments', { name: 'Bash', args: null as never }],
    ['a list of arguments', { name: 'Bash', args: [] as never }],
    ['a missing argument', { name: 'Read', args: {} }],
    ['an unknown argument', { name: 'Bash', args: { command: 'git status', sandbox: false } }],
    ['a list for a command', { name: 'Bash', args: { command: ['git', 'status'] } }],
    ['a negative timeout', { name: 'Bash', args: { command: 'git status', timeout: -1 } }],
    ['an endless timeout', { name: 'Bash', args: { command: 'git status', timeout: Infinity } }],
    ['half a timeout', { name: 'Bash', args: { command: 'git status', timeout: 0.5 } }],
    ['a word for a flag', { name: 'Bash', args: { command: 'ls', run_in_background: 'no' } }],
    ['a number for a flag', { name: 'Bash', args: { command: 'ls', interactive: 0 } }],
  ])('%s', async (_, call) => {
    const decision = await decide(
      call,
      permissionsOf({ allow: ['Bash(*)', 'Read(**)'] }),
      fileSystem,
    )
    expect(decision.verdict).toBe('deny')
    expect(decision.error).toBeTypeOf('string')
  })

  test.each([
    { command: 'git status', run_in_background: true },
    { command: 'git status', interactive: false, timeout: 0 },
    { command: 'git status', timeout: 1000, interactive: undefined },
  ])('%j is valid', async (args) => {
    expect(await verdictOf({ name: 'Bash', args }, { allow: ['Bash(*)'] })).toBe('allow')
  })

  test.each(['Raed(.env)', 'read(.env)', 'Read(.env', '', 'Bash(:*)', 'Bash(git:* push)', '*'])(
    'the invalid rule %j denies every call',
    async (rule) => {
      const decision = await decide(read('README.md'), permissionsOf({ deny: [rule] }), fileSystem)
      expect(decision).toMatchObject({
        verdict: 'deny',
        error: expect.stringContaining(rule) as string,
      })
    },
  )

  test('with invalid settings, every call needs approval, and denials still apply', async () => {
    const doubt = 'settings.json, line 3: expected a comma'
    expect(await verdictOf(read('README.md'), {}, { doubt })).toBe('ask')
    expect(await verdictOf(read('.env'), { deny: ['Read(.env)'] }, { doubt })).toBe('deny')
  })
})

describe('arguments', () => {
  test('tool-041: two megabytes of command', async () => {
    const call = bash('git status '.repeat(200_000))
    expect(await verdictOf(call, { allow: ['Bash(git:*)'] })).toBe('ask')
  })
})

test('a glob pattern leads no further than its folder allows', async () => {
  const glob = (pattern: string): PermissionCall => ({ name: 'Glob', args: { pattern } })
  expect(await verdictOf(glob('src/**/*.ts'), {})).toBe('allow')
  for (const pattern of ['../../**', '/etc/*', '~/.ssh/*', 'src/../../x', '..'])
    expect([pattern, await verdictOf(glob(pattern), {})]).toEqual([pattern, 'ask'])
})

test('a rule with operators matches only that exact command', async () => {
  const allow = ['Bash(npm ci && npm test)']
  expect(await verdictOf(bash('npm ci && npm test'), { allow })).toBe('allow')
  expect(await verdictOf(bash(' npm ci && npm test\n'), { allow })).toBe('allow')
  expect(await verdictOf(bash('npm ci && npm test && ls'), { allow })).toBe('ask')
  expect(await verdictOf(bash('npm ci && npm test\u00a0'), { allow })).toBe('ask')
  expect(await verdictOf(bash('npm ci && npm test'), { allow, deny: ['Bash(npm test:*)'] })).toBe(
    'deny',
  )
  expect(
    await verdictOf(bash('echo x > .git/config'), { allow: ['Bash(echo x > .git/config)'] }),
  ).toBe('ask')
  expect(await verdictOf(bash('a | b'), { allow: ['Bash(*)'], deny: ['Bash(a | b)'] })).toBe('deny')
})

test('a search may not use a host that a rule forbids', async () => {
  const search = { name: 'WebSearch', args: { query: 'x', allowed_domains: ['go.dev'] } }
  expect(await verdictOf(search, { allow: ['WebSearch'] })).toBe('allow')
  expect(await verdictOf(search, { allow: ['WebSearch'], deny: ['WebFetch(domain:go.dev)'] })).toBe(
    'deny',
  )
  expect(
    await verdictOf(search, { allow: ['WebSearch'], deny: ['WebSearch(domain:go.dev)'] }),
  ).toBe('deny')
})

test('aliases are judged by the rules of their tool', async () => {
  const lists = { allow: ['Bash(git:*)'], deny: ['Read(.env)'] }
  expect(await verdictOf({ name: 'bash', args: { command: 'git status' } }, lists)).toBe('allow')
  expect(await verdictOf({ name: 'read_file', args: { path: '.env' } }, lists)).toBe('deny')
  expect(await verdictOf({ name: 'functions.Bash', args: { command: 'git status' } }, lists)).toBe(
    'allow',
  )
  expect(
    await verdictOf({ name: 'read_file', args: { path: 'a', file_path: '.env' } }, lists),
  ).toBe('deny')
})

describe('no option of an allowed program shows a denied file', () => {
  test.each([
    'tree -H . --hintro=.env',
    'tree -H . --houtro .env',
    'ptx -i .env a.txt',
    'ptx -o .env a.txt',
    'who .env',
    'users .env',
    'ag x src -C .env',
    'ack x src -A .env',
    'yq .env',
    'xq .env',
    'npm test .env',
    "prettier '.en*'",
    "prettier '{.env,x}'",
    'git status -v',
    'git commit --dry-run -v',
    'git stash list -c',
    'git reflog show -p',
    'git log --check',
    'pr --separator .env -f',
    'git blame --abbrev .env',
    'git diff --unified .env',
    'git diff -U .env',
    'flake8 --disable .env',
    'isort -t .env',
    'cat a.txt | ack x < b.txt',
    'cat a.txt | ack x 0>&2',
  ])('%s', async (command) => {
    const allow = [`Bash(${command.split(' ')[0]}:*)`, 'Bash(ack:*)']
    const lists = { allow, deny: ['Read(.env)'] }
    const identify = (path: string) => ({
      id: path,
      isFolder: path === '/workspace',
      linkCount: 1,
    })
    const { verdict } = await decide(bash(command), permissionsOf(lists), {
      ...fileSystem,
      identify,
    })
    expect(verdict).not.toBe('allow')
  })
})

test.each([
  'gofmt -e /home/u/x',
  'flake8 --disable /home/u/x',
  'eslint /home/u/x',
  'ctest -I /home/u/x',
  'tsc --noEmit ../../x.ts',
])('checkers show the code they check, so files outside need approval: %s', async (command) => {
  const lists = { allow: [`Bash(${command.split(' ')[0]}:*)`] }
  expect(await verdictOf(bash(command), lists)).toBe('ask')
})

test("denies either name of LSP's path argument", async () => {
  const lists = { deny: ['Read(.env)'] }
  const call = (args: object) => ({ name: 'LSP', args: { operation: 'hover', ...args } })
  expect(await verdictOf(call({ file_path: '.env' }), lists)).toBe('deny')
  expect(await verdictOf(call({ filePath: '.env' }), lists)).toBe('deny')
  expect(await verdictOf(call({ filePath: 'a', file_path: '.env' }), lists)).toBe('deny')
  expect(await verdictOf(call({ file_path: 'a' }), lists)).toBe('allow')
})

test('run_tests is judged as the command it runs', async () => {
  const call = { name: 'run_tests', args: {} }
  const lists = { allow: ['Bash(npm test)'] }
  expect(await verdictOf(call, lists, { testCommand: 'npm test' })).toBe('allow')
  expect(await verdictOf(call, lists, { testCommand: 'npm test && npm publish' })).toBe('ask')
  expect(
    await verdictOf({ ...call, args: { command: 'ls' } }, lists, { testCommand: 'npm test' }),
  ).toBe('deny')
  expect((await decide(call, permissionsOf(lists), fileSystem)).error).toContain('"testCommand"')
  expect(readRules({ allow: ['run_tests'] }).problems[0]!.problem).toContain(
    'Write a rule for Bash instead',
  )
})

test('custom tools describe the meaning of their arguments', async () => {
  const tools = new Map([['SendMail', { arguments: { to: 'text' }, required: ['to'] } as const]])
  const mail = { name: 'SendMail', args: { to: 'a@b.c' } }
  expect(await verdictOf(mail, {}, { tools })).toBe('ask')
  const { rules } = readRules({ allow: ['SendMail'] }, { tools })
  expect((await decide(mail, { rules, tools }, fileSystem)).verdict).toBe('allow')
})

test('the decision contains the deciding part and its rule', async () => {
  const decision = await decide(
    bash('git status && rm -rf /'),
    permissionsOf({ allow: ['Bash(git:*)'], deny: ['Bash(rm -rf:*)'] }),
    fileSystem,
  )
  expect(decision.rule?.text).toBe('Bash(rm -rf:*)')
  expect(decision.parts.map(({ what, verdict }) => [what, verdict])).toEqual(
    expect.arrayContaining([
      ['git status', 'allow'],
      ['rm -rf /', 'deny'],
    ]) as unknown,
  )
})

test('an invalid rule is reported with its file and line', async () => {
  const source = { scope: 'project', file: '/w/.toolglot/settings.json', line: 3 } as const
  const { problems } = readRules({ deny: ['Bash('] }, { source })
  const decision = await decide(bash('ls'), { rules: [], problems }, fileSystem)
  expect(decision.error).toContain('/w/.toolglot/settings.json:3: ')
})

test("a rule with an alias's name also forbids a custom tool with that name", async () => {
  const tools = new Map([['bash', { harmless: true }]])
  const call = { name: 'bash', args: { x: 1 } }
  expect((await decide(call, { rules: [], tools }, fileSystem)).verdict).toBe('allow')
  expect(
    (await decide(call, permissionsOf({ deny: ['bash'] }, { tools }), fileSystem)).verdict,
  ).toBe('deny')
  expect(
    (await decide(call, permissionsOf({ ask: ['bash'] }, { tools }), fileSystem)).verdict,
  ).toBe('ask')
})

describe('wrong inputs are refused without an exception', () => {
  const allowed = readRules({ allow: ['Bash(ls)'] })
  const useReadRules = 'permissions must have rules. Pass the result of readRules.'
  const useView =
    'The file system view is missing or invalid. Pass the result of nodeFileSystem from @toolglot/permissions/node.'
  const useMap = 'permissions.tools must be a Map. Pass new Map([[name, access]]).'

  test.each<[string, unknown[], string]>([
    ['no call', [undefined, allowed, fileSystem], 'The call must be an object: { name, args }.'],
    ['no permissions', [bash('ls')], useReadRules],
    ['rules as text by verdict', [bash('ls'), { allow: ['Bash(ls)'] }, fileSystem], useReadRules],
    ['rules as text', [bash('ls'), { rules: ['Bash(ls)'] }, fileSystem], useReadRules],
    ['a list of rules', [bash('ls'), allowed.rules, fileSystem], useReadRules],
    ['no file system', [bash('ls'), allowed], useView],
    ['options of a file system', [bash('ls'), allowed, { cwd: '/workspace' }], useView],
    ['tools in an object', [bash('ls'), { ...allowed, tools: { a: {} } }, fileSystem], useMap],
  ])('%s', async (_, input, error) => {
    const untyped = decide as (...input: unknown[]) => ReturnType<typeof decide>
    expect(await untyped(...input)).toMatchObject({ verdict: 'deny', error })
  })
})
