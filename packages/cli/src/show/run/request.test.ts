import { realpathSync } from 'node:fs'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { decide, readRules, suggestRuleForEach } from '@toolglot/permissions'
import { nodeFileSystem } from '@toolglot/permissions/node'
import { folderOf } from '../../../../../tests/helpers/folder.ts'
import { colorsOf } from '../../terminal.ts'
import { showRequest } from './request.ts'

const colors = colorsOf(new PassThrough(), {})
const cwd = realpathSync('/tmp')

async function asked(
  command: string,
  { rules = [] as readonly string[], columns = 60, diff = '', folder = cwd } = {},
): Promise<string> {
  const call = { name: 'Bash', args: { command } }
  const source = { scope: 'user', file: 's.json', line: 3 } as const
  const permissions = readRules({ ask: rules }, { source })
  const fileSystem = nodeFileSystem({ cwd: folder })
  const decision = await decide(call, permissions, fileSystem)
  const suggestions = await suggestRuleForEach(decision, permissions, fileSystem)
  return showRequest(
    { ...decision, suggestions, ...call },
    { colors, columns, ...(diff && { diff }) },
  )
}

test('shows each part with the reason for asking and the narrow rule', async () => {
  expect(await asked('git status && make all')).toBe(
    [
      '  ? git status',
      '    no rule allows it',
      '    always: Bash(git status)',
      '  ? make all',
      '    no rule allows it',
      '    always: Bash(make all)',
      '  May run any code in this folder',
      '',
    ].join('\n'),
  )
})

test('shows why a part has no rule', async () => {
  expect(await asked('make all > log && python3 x.py | sudo ls')).toBe(
    [
      '  ? make all > log',
      '    no rule allows it',
      '    always: Bash(make all)',
      '  ? python3 x.py',
      "    asks each time: runs code that Toolglot can't inspect",
      '  ? sudo ls',
      '    asks each time: runs another command as another user',
      '  ? ls',
      '    no rule allows it',
      '    asks each time: run by another command, which has no',
      '    rule: sudo ls',
      '  ? write log',
      '    no rule allows writing it',
      `    always: Edit(/${cwd}/log)`,
      '  ✓ read x.py',
      '    in the workspace',
      '  May run any code in this folder',
      '',
    ].join('\n'),
  )
})

test('shows why a call needs approval even if its parts are allowed', () => {
  const part = { what: 'send', verdict: 'allow', why: 'the rule send allows it' } as const
  const suggestions = [{ what: 'send', reason: 'the tool is dangerous' }]
  const call = { name: 'send', args: {}, suggestions, parts: [part] }
  expect(showRequest(call, { colors, columns: 80 })).toContain(
    '  ✓ send\n    the rule send allows it\n  ? send\n    the tool is dangerous\n',
  )
})

test('shows the deciding rule and its source, and then offers no "always"', async () => {
  const shown = await asked('make all', { rules: ['Bash(make:*)'] })
  expect(shown).toContain('Bash(make:*)  s.json:3')
  expect(shown).not.toContain('always')
})

test('shows the whole text of a rule', async () => {
  const shown = await asked(`make ${'a'.repeat(150)} end`, { columns: 40 })
  expect(shown.replaceAll(/\s+/g, '')).toContain(`always:Bash(make${'a'.repeat(150)}end)`)
})

test('shows the whole text at the edge of the screen, regardless of its length', async () => {
  const long = `make ${'a'.repeat(150)} secret-end`
  const shown = await asked(long, { columns: 40 })
  expect(shown.replaceAll(/\s+/g, '')).toContain(`make${'a'.repeat(150)}secret-end`)
  expect(shown).toContain(`"command": "make ${'a'.repeat(150)} secret-end"`)
  const diff = `--- a\n+++ a\n@@ -0,0 +1,100 @@\n${Array.from({ length: 100 }, (_, at) => `+line ${at}`).join('\n')}`
  expect(await asked('make', { diff })).toContain('+line 99\n')
})

test('shows every argument', () => {
  const args = { note: 'hello', to: 'x'.repeat(50), amount: 9 }
  const part = { what: 'send', verdict: 'ask', why: 'no rule allows send' } as const
  const call = { name: 'send', args, suggestions: [], parts: [part] }
  expect(showRequest(call, { colors, columns: 80 })).toContain(`"to": "${'x'.repeat(50)}"`)
  const narrow = { ...call, args: { to: 'x'.repeat(50) } }
  expect(showRequest(narrow, { colors, columns: 50 })).toContain(`"to": "${'x'.repeat(50)}"`)
})

test('shows a long change to its end', async () => {
  const lines = Array.from({ length: 3000 }, (_, at) => `+line ${at}`).join('\n')
  expect(await asked('make', { diff: `--- a\n+++ a\n@@ -0,0 +1,3000 @@\n${lines}` })).toContain(
    '+line 2999\n',
  )
})

/** A folder with empty files of these names. */
const withFiles = (...names: readonly string[]): string =>
  realpathSync(folderOf(Object.fromEntries(names.map((name) => [name, '']))))

test('shows the files that match a pattern', async () => {
  const folder = withFiles('a.log', 'b c.log', 'notes.txt')
  expect(await asked('rm *.log', { folder })).toBe(
    [
      "  ? rm a.log 'b c.log'",
      '    no rule allows it',
      "    always: Bash(rm a.log 'b c.log')",
      '',
    ].join('\n'),
  )
})

test('shows all names, even if there are many', async () => {
  const names = Array.from({ length: 500 }, (_, at) => `${'long-'.repeat(20)}${at}.log`)
  const shown = await asked('rm *.log', { folder: withFiles(...names) })
  const [part = ''] = shown.split('no rule allows it')
  expect(part.trim().split(/\s+/)).toEqual(['?', 'rm', ...names.sort()])
})

test('reports that a command runs as written', async () => {
  const names = Array.from({ length: 501 }, (_, at) => `${at}.log`)
  const shown = await asked('rm *.log', { folder: withFiles(...names), columns: 100 })
  expect(shown).toContain('  Runs as written: has a pattern')
})

test.each([
  ['a\n  ✓ make all\n', "? rm $'a\\n ✓ make all\\n' z"],
  ['; touch x #', "? rm '; touch x #' z"],
  ['-rf', '? rm -rf z'],
  // The pattern is kept, and the matching file is one of the parts.
  ['a.log\x1b[2K\x1b[1A', '? write a.log‹U+001B›[2K‹U+001B›[1A'],
  ['\u202egol.a', '? write ‹U+202E›gol.a'],
  ['a\u200b', '? write a‹U+200B›'],
])('hides no file name, and none looks like other text: %j', async (name, line) => {
  const shown = await asked('rm *', { folder: withFiles(name, 'z') })
  expect(shown.replaceAll(/ +/g, ' ')).toContain(line)
  // oxlint-disable-next-line no-control-regex
  expect(shown).not.toMatch(/[\x00-\x09\x0b-\x1f\u202e\u200b]/)
  expect(shown).not.toMatch(/^ +✓/m)
})

test('cannot control the terminal', async () => {
  // oxlint-disable-next-line no-control-regex
  expect(await asked('make "\x1b[2K\r\x1b[A"')).not.toMatch(/[\x00-\x09\x0b-\x1f]/)
})
