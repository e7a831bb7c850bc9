import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../../tests/helpers/size.ts'
import { fileSystemWith } from '../../test/file-system.ts'
import { plainFileSystem } from '../../test/plain-file-system.ts'
import { reachingCommands } from '../../test/shell-commands.ts'
import type { OtherTools, PermissionCall } from '../decide/call.ts'
import { decide, type Permissions } from '../decide/decide.ts'
import type { Decision, DecisionPart } from '../decide/decision.ts'
import type { FileSystemView } from '../decide/file-system.ts'
import { readRules, type RuleTexts } from './read-rules.ts'
import { type RuleSuggestion, suggestRuleForEach } from './suggest-for-each.ts'

const tools: OtherTools = new Map([
  ['send_mail', {}],
  ['save', { writes: 'path' }],
  ['mcp__notes', {}],
  ['odd(name', {}],
])
const bash = (command: string): PermissionCall => ({ name: 'Bash', args: { command } })

interface Given extends Partial<Permissions> {
  readonly texts?: RuleTexts
  readonly fileSystem?: FileSystemView
  readonly dangerous?: boolean
}

/** The suggestions, as `what → rule` or `what: reason`. */
async function suggested(call: PermissionCall, given: Given = {}): Promise<string[]> {
  return (await suggestionsFor(call, given)).map((each) =>
    'rule' in each ? `${each.what} → ${each.rule}` : `${each.what}: ${each.reason}`,
  )
}

async function suggestionsFor(
  call: PermissionCall,
  { texts = {}, fileSystem = plainFileSystem, dangerous, ...others }: Given = {},
): Promise<readonly RuleSuggestion[]> {
  const permissions = { ...readRules(texts, { tools }), ...others }
  const decision = await decide(call, permissions, fileSystem)
  return await suggestRuleForEach(decision, permissions, fileSystem, { dangerous })
}

describe('a part that needs approval gets a rule', () => {
  test.each([
    [
      'a command',
      bash('git push origin main'),
      ['git push origin main → Bash(git push origin main)'],
    ],
    ['a wrapped one', bash('timeout 5 make'), ['make → Bash(make)']],
    [
      'a redirection',
      bash('echo hi > out.txt'),
      ['echo hi > out.txt → Bash(echo hi)', 'write out.txt → Edit(//workspace/out.txt)'],
    ],
    [
      'a file outside, however it is written',
      bash('cat /etc/./hosts/'),
      ['cat /etc/./hosts/ → Bash(cat /etc/./hosts/)', 'read /etc/./hosts/ → Read(//etc/hosts)'],
    ],
    [
      'a file',
      { name: 'write_file', args: { path: './src/[id].ts', content: '' } },
      ['write ./src/[id].ts → Edit(//workspace/src/\\[id\\].ts)'],
    ],
    [
      'a search, only for that tool',
      { name: 'Grep', args: { pattern: 'x', path: '/etc' } },
      ['read /etc → Grep(//etc)'],
    ],
    [
      'a page: its host',
      { name: 'WebFetch', args: { url: 'https://go.dev/doc?q=1' } },
      ['fetch https://go.dev/doc?q=1 → WebFetch(domain:go.dev)'],
    ],
    ['a web search', { name: 'WebSearch', args: { query: 'x' } }, ['WebSearch → WebSearch']],
    ['an own tool', { name: 'send_mail', args: { to: 'x' } }, ['send_mail → send_mail']],
    ['by its own name', { name: 'functions.send_mail', args: {} }, ['send_mail → send_mail']],
    [
      'a file of an own tool',
      { name: 'save', args: { path: 'a' } },
      ['write a → Edit(//workspace/a)'],
    ],
    [
      'a tool of a server',
      { name: 'mcp__notes__add', args: {} },
      ['mcp__notes__add → mcp__notes__add'],
    ],
  ])('%s', async (_, call, expected) => {
    expect(await suggested(call)).toEqual(expected)
  })
})

describe('a part without a rule gets the reason', () => {
  test.each([
    ['an expansion', bash('git log $HOME'), 'not plain text: the variable $HOME'],
    [
      'a pattern',
      bash('git add *.ts'),
      'not plain text: a pattern of file names that is expanded when it runs',
    ],
    ['a quoted *', bash("git commit -m 'a*b'"), 'contains "*", which means any text in a rule'],
    ['an unknown word', bash('echo "$(date)"'), 'some of its words are unknown until it runs'],
    ['an interpreter', bash('python3 x.py'), "runs code that Toolglot can't inspect"],
    ['code', bash("node -e 'x()'"), '-e runs code in its arguments or loads more'],
    ['more than its name says', bash('find . -delete'), '-delete removes what it finds'],
    ['another folder', bash('cd sub && git push'), 'the call changes the folder'],
    [
      'a start in another folder',
      { name: 'Bash', args: { command: 'git push', cwd: 'sub' } },
      'the call changes the folder',
    ],
    ['a removal in another folder', bash('cd /tmp && rm -rf x'), 'the call changes the folder'],
    [
      'a host that would mean any host',
      { name: 'WebFetch', args: { url: 'http://*.com/x', prompt: 'x' } },
      'contains "*", which means any host',
    ],
    ['as another user', bash('sudo ls'), 'run by another command, which has no rule: sudo ls'],
    [
      'a long text',
      bash(`frob ${'x'.repeat(2000)}`),
      'a rule of 2011 characters is too long to read before approving it',
    ],
    ['a removal outside', bash('rm -r /tmp/x'), 'removes it'],
    ['a critical removal', bash('rm -r /'), 'removes it'],
    ['many files', bash('find . -exec rm {} +'), 'affects many files'],
    ['an unknown path', bash('cat a | xargs rm'), 'the path is unknown until it runs'],
    ['an unknown program', bash('mv a $X'), 'not plain text: the variable $X'],
    [
      'a protected file',
      { name: 'Write', args: { file_path: '.git/config', content: '' } },
      'protected: can make git run code',
    ],
    [
      'a name that no rule can have',
      { name: 'Write', args: { file_path: 'a ', content: '' } },
      'no rule can cover it',
    ],
    [
      'an odd path',
      { name: 'Write', args: { file_path: '~/a', content: '' } },
      '"~" is not always the home folder',
    ],
    [
      'a port',
      { name: 'WebFetch', args: { url: 'https://go.dev:8443/' } },
      'rules do not cover port 8443',
    ],
    [
      'an odd host',
      { name: 'WebFetch', args: { url: 'https://ｇo.dev/' } },
      'the host is written in other letters than go.dev',
    ],
    [
      'input of a program',
      { name: 'BashInput', args: { task_id: 'a', input: 'y' } },
      'the effect of input on a program is unknown',
    ],
    ['a tool with the name of a server', { name: 'mcp__notes', args: {} }, 'no rule can cover it'],
    ['a tool with an odd name', { name: 'odd(name', args: {} }, 'no rule can cover it'],
  ])('%s', async (_, call, reason) => {
    expect((await suggested(call)).join('\n')).toContain(`: ${reason}`)
  })

  test('a file under several names, and a hard link', async () => {
    const linked = fileSystemWith(['src/'], { 'src/link': '/etc/hosts' })
    const call = { name: 'Read', args: { file_path: 'src/link' } }
    expect(await suggested(call, { fileSystem: linked })).toEqual([
      'read src/link: leads to /etc/hosts, and one rule does not cover both names',
    ])
    const identify = (): { id: string; isFolder: boolean; linkCount: number } => ({
      id: 'a',
      isFolder: false,
      linkCount: 2,
    })
    const write = { name: 'Write', args: { file_path: 'a', content: '' } }
    expect(await suggested(write, { fileSystem: { ...plainFileSystem, identify } })).toEqual([
      'write a: the file has 2 hard links, and would change under each name',
    ])
  })

  test('files, not all of which can be checked', async () => {
    const call = bash('find src | xargs grep x')
    const unknown = { ...fileSystemWith(['src/']), list: async () => undefined }
    expect(
      (await suggested(call, { fileSystem: unknown, texts: { allow: ['Bash(*)'] } })).join(),
    ).toContain('read src: not all files in it can be checked')
  })
})

test('each part of a mixed command is treated separately', async () => {
  expect(
    await suggested(bash('npm test && python3 x.py && git push | tee log'), {
      texts: { ask: ['Bash(git push:*)'], allow: ['Bash(tee log)'] },
    }),
  ).toEqual([
    'npm test → Bash(npm test)',
    "python3 x.py: runs code that Toolglot can't inspect",
    'git push: the rule Bash(git push:*) requires approval',
    'write log → Edit(//workspace/log)',
  ])
})

test.each([
  [bash('git push'), { ask: ['Bash(git push:*)'] }, 'the rule Bash(git push:*) requires approval'],
  [bash('a && b'), { ask: ['Bash(a && b)'] }, 'the rule Bash(a && b) requires approval'],
  [{ name: 'send_mail', args: {} }, { ask: ['send_mail'] }, 'the rule send_mail requires approval'],
  [
    { name: 'Read', args: { file_path: 'a' } },
    { ask: ['Read(a)'] },
    'the rule Read(a) requires approval',
  ],
  [
    { name: 'WebFetch', args: { url: 'https://go.dev' } },
    { ask: ['WebFetch(domain:go.dev)'] },
    'the rule WebFetch(domain:go.dev) requires approval for go.dev',
  ],
])('the rule that requires approval is in the reason: %j', async (call, texts, reason) => {
  const reasons = (await suggestionsFor(call, { texts })).flatMap((each) =>
    'reason' in each ? [each.reason] : [],
  )
  expect(reasons).toContain(reason)
})

describe('with a doubt about the whole call, no part gets a rule', () => {
  test.each<[string, PermissionCall, Given, string]>([
    ['settings', bash('make'), { doubt: 'invalid settings: a:1: x' }, 'invalid settings: a:1: x'],
    [
      'its form',
      { ...bash('make'), trust: { fenced: true } },
      {},
      'this may not be an intended tool call: it was inside a code fence',
    ],
    [
      'an own tool',
      { name: 'send_mail', args: {}, trust: { echoes: true } },
      {},
      'this may not be an intended tool call: it repeats text from an untrusted result',
    ],
    ['parse error', bash('echo "a'), {}, 'cannot be parsed: unterminated double quote'],
    [
      'danger',
      bash('make'),
      { dangerous: true },
      'the tool is dangerous, so every call needs approval',
    ],
  ])('%s', async (_, call, given, reason) => {
    const found = await suggestionsFor(call, given)
    expect(found.length).toBeGreaterThan(0)
    for (const each of found) expect(each).toEqual({ what: expect.any(String) as string, reason })
  })
})

test('a dangerous tool needs approval although a rule allows all tools', async () => {
  const texts = { allow: ['send_mail'] }
  const call = { name: 'send_mail', args: {} }
  expect(await suggested(call, { texts })).toEqual([])
  expect(await suggested(call, { texts, dangerous: true })).toEqual([
    'send_mail: the tool is dangerous, so every call needs approval',
  ])
})

test('too many rules yield none, but every part gets a reason', async () => {
  const tags = Array.from({ length: 6 }, (_, at) => `git tag v${at}`)
  const found = await suggested(bash([...tags, 'python3 x'].join(' && ')))
  expect(found).toHaveLength(7)
  expect(found[0]).toBe('git tag v0: 6 rules are too many to read before approving them')
  expect(found[6]).toBe("python3 x: runs code that Toolglot can't inspect")
  expect(await suggested(bash(Array.from({ length: 9 }, () => 'make').join(';')))).toEqual(
    Array.from({ length: 9 }, () => 'make → Bash(make)'),
  )
})

test('no rule for a file is suggested if it would not allow copying a folder there', async () => {
  expect(await suggested(bash('mv a b | npm test'))).toContain(
    'write b/a: other commands in the text may change the copied files',
  )
})

test('without parts that need approval, there are no suggestions', async () => {
  expect(await suggested(bash('make'), { texts: { allow: ['Bash(make)'] } })).toEqual([])
  expect(await suggested(bash('make && rm x'), { texts: { deny: ['Bash(rm:*)'] } })).toEqual([])
  expect(await suggested(bash('make'), { interactive: false })).toEqual([])
  expect(await suggested({ name: 'nothing', args: {} })).toEqual([])
})

const commands = [
  'npm test',
  'git push origin main',
  'git push',
  'git status',
  'make build',
  'make',
  'rm -r build',
  'rm x',
  'cat /etc/hosts',
  'cat /etc/passwd',
  'echo hi > out.txt',
  'echo hi > /tmp/out',
  'cat < /etc/shadow',
  'touch src/a.ts',
  'cp a b',
  'tee log.txt',
  'mkdir -p /tmp/a/b',
  'sudo ls',
  'ls',
  'ls /etc/',
  'timeout 5 npm test',
  'python3 x.py',
  `git commit -m "it's"`,
  `git commit -m 'a*b'`,
  'git log $HOME',
  'curl https://go.dev/x',
  'sed -i s/a/b/ x',
  'ls "$(date)"',
  'echo a >> ~/.bashrc',
  'bash -c "npm test"',
  'rm -rf /',
  ...reachingCommands.slice(0, 40),
]
const paths = ['a', 'src/a.ts', 'src', '/etc/hosts', '/etc', '/tmp/x y', '.git/config', 'a*', '[a]']
const calls: readonly PermissionCall[] = [
  ...commands.map(bash),
  ...paths.flatMap((path) => [
    { name: 'Write', args: { file_path: path, content: '' } },
    { name: 'Read', args: { file_path: path } },
    { name: 'Grep', args: { pattern: 'x', path } },
    { name: 'Glob', args: { pattern: '*', path } },
    { name: 'save', args: { path } },
  ]),
  ...['https://go.dev/a', 'https://www.go.dev/', 'https://go.dev:8443/', 'http://10.0.0.1/'].map(
    (url) => ({ name: 'WebFetch', args: { url } }),
  ),
  { name: 'WebSearch', args: { query: 'x' } },
  { name: 'send_mail', args: {} },
  { name: 'mcp__notes__add', args: {} },
  { name: 'mcp__notes__remove', args: {} },
]

const rulesOf = (suggestions: readonly RuleSuggestion[]): string[] =>
  suggestions.flatMap((each) => ('rule' in each ? [each.rule] : []))

const { numRuns } = runs(300)

const script = fc
  .array(
    fc.tuple(fc.constantFrom(...commands), fc.constantFrom(' && ', '; ', ' | ', ' || ', '\n')),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) =>
    bash(
      parts
        .flatMap(([command, operator]) => [command, operator])
        .slice(0, -1)
        .join(''),
    ),
  )
const call = fc.oneof(script, fc.constantFrom(...calls))
const texts = fc.record({
  allow: fc.subarray(['Bash(git status)', 'Edit(src/**)', 'Read(src/**)', 'Bash(npm:*)']),
  ask: fc.subarray(['Bash(git push:*)', 'Read(/etc/**)', 'Edit(a)', 'send_mail', 'Bash(make)']),
  deny: fc.subarray(['Bash(sudo:*)', 'Read(//etc/passwd)', 'mcp__notes__remove']),
})

describe('laws', () => {
  test('every part that needs approval has a suggestion, and each rule is valid and allows its part', async () => {
    await fc.assert(
      fc.asyncProperty(call, texts, async (given, lists) => {
        const permissions = readRules(lists, { tools })
        const decision = await decide(given, permissions, plainFileSystem)
        const found = await suggestRuleForEach(decision, permissions, plainFileSystem)
        const asking = decision.parts.filter(({ verdict }) => verdict === 'ask')
        expect(found.map(({ what }) => what)).toEqual(
          decision.verdict === 'ask' ? asking.map(({ what }) => what) : [],
        )
        for (const [at, each] of found.entries())
          if ('rule' in each) expect(asking[at]!.rule).toBeUndefined()

        const read = readRules({ allow: rulesOf(found) }, { tools })
        expect(read.problems).toEqual([])
        // After the rules for some parts are added, only parts without a rule still need approval.
        if (decision.verdict !== 'ask') return
        const rules = [...permissions.rules, ...read.rules]
        const after = await decide(given, { ...permissions, rules }, plainFileSystem)
        const without = found.flatMap((each) => ('rule' in each ? [] : [each.what]))
        for (const { what, verdict } of after.parts) {
          if (verdict !== 'ask') continue
          expect(without).toContain(what)
          without.splice(without.indexOf(what), 1)
        }
      }),
      { numRuns },
    )
  })

  test('a rule allows no other call, except pages on the same host and calls of the same tool', async () => {
    await fc.assert(
      fc.asyncProperty(call, call, texts, async (given, other, lists) => {
        const permissions = readRules(lists, { tools })
        const decision = await decide(given, permissions, plainFileSystem)
        const found = await suggestRuleForEach(decision, permissions, plainFileSystem)
        const read = readRules({ allow: rulesOf(found) }, { tools })
        const rules = [...permissions.rules, ...read.rules]
        const before = await decide(other, permissions, plainFileSystem)
        const after = await decide(other, { ...permissions, rules }, plainFileSystem)
        // A part is allowed now only if the approved call had the same part and that part got a
        // rule.
        const asking = decision.parts.filter(({ verdict }) => verdict === 'ask')
        const approved = asking.filter((_, at) => found[at] && 'rule' in found[at]).map(partKey)
        const allowedBefore = keysOfAllowed(before)
        for (const key of keysOfAllowed(after))
          if (!allowedBefore.has(key)) expect(approved).toContain(key)
        if (before.verdict === 'deny') expect(after.verdict).toBe('deny')
      }),
      { numRuns },
    )
  })
})

function keysOfAllowed({ parts }: Decision): ReadonlySet<string> {
  return new Set(parts.filter(({ verdict }) => verdict === 'allow').map(partKey))
}

/** A key for a part's action: the words of a command, the file, the host or the tool. */
function partKey({ what, subject, real }: DecisionPart): string {
  if (!subject) return what
  if (!('kind' in subject)) return JSON.stringify(subject.words)
  if (subject.kind === 'fetch') return new URL(subject.url ?? 'about:blank').hostname
  // A rule for writing a file also allows reading it.
  return real ?? what
}
