import { expect, test } from 'vitest'
import { decide } from '../decide/decide.ts'
import { nodeFileSystem } from '../node/file-system.ts'
import { list } from '../shell/program.ts'
import { TABLES } from '../shell/programs/index.ts'
import { lintRules } from './lint.ts'
import { readRules } from './read-rules.ts'
import { share } from '../../../../tests/helpers/size.ts'

const lint = (lists: { allow?: string[]; ask?: string[]; deny?: string[] }) => {
  const { rules, problems } = readRules(lists)
  expect(problems).toEqual([])
  return lintRules(rules).map(({ rule, about }) => [rule.text, about])
}

test.each([
  ['all commands', 'Bash(*)', 'too-much'],
  ['the tool itself', 'Bash', 'too-much'],
  ['an interpreter', 'Bash(python3:*)', 'too-much'],
  ['a shell', 'Bash(bash:*)', 'too-much'],
  ['all files', 'Edit(**)', 'too-much'],
  ['the whole disk', 'Read(//**)', 'too-much'],
  ['the whole web', 'WebFetch', 'too-much'],
  ['a whole server', 'mcp__files__*', 'too-much'],
  ['a whole server, for short', 'mcp__files', 'too-much'],
  ['a pipe', 'Bash(cat x | sort)', 'cannot-say'],
  ['an address', 'Bash(curl https://go.dev/:*)', 'cannot-say'],
  ['a setting', 'Bash(CI=1 npm test:*)', 'cannot-say'],
  ['a wrapper', 'Bash(timeout:*)', 'never'],
])('%s', (_, text, about) => {
  expect(lint({ allow: [text] })).toEqual([[text, about]])
})

test('a rule that allows something is not reported as having no effect', async () => {
  const fileSystem = nodeFileSystem({ cwd: '/' })
  const names = TABLES.flat().flatMap((program) => list(program.names))
  expect(names.length).toBeGreaterThan(400)
  for (const name of share(names, 4)) {
    const text = `Bash(${name}:*)`
    const { rules } = readRules({ allow: [text] })
    if (!lintRules(rules).some(({ about }) => about === 'never')) continue
    for (const command of [`${name} a b c d`, `${name} ./a 5 b -c`]) {
      const { parts } = await decide({ name: 'Bash', args: { command } }, { rules }, fileSystem)
      const allowed = parts.filter(
        ({ rule, verdict }) => rule?.text === text && verdict === 'allow',
      )
      expect([command, allowed]).toEqual([command, []])
    }
  }
  for (const name of ['find', 'fd', 'pnpm', 'yarn'])
    expect(lint({ allow: [`Bash(${name}:*)`] })).not.toContainEqual([`Bash(${name}:*)`, 'never'])
})

test('allow rules that a deny rule overrides', () => {
  expect(lint({ allow: ['Bash(git push:*)'], deny: ['Bash(git push:*)'] })).toEqual([
    ['Bash(git push:*)', 'never'],
  ])
  expect(lint({ allow: ['Bash(git push origin:*)'], deny: ['Bash(git push:*)'] })).toHaveLength(1)
  expect(lint({ ask: ['Read(src/**)'], deny: ['Read'] })).toEqual([['Read(src/**)', 'never']])
  expect(lint({ allow: ['Bash(git:*)'], deny: ['Bash(git push:*)'] })).toEqual([])
})

test('duplicates', () => {
  expect(lint({ allow: ['Bash(git status)', 'Bash(git status)'] })).toEqual([
    ['Bash(git status)', 'never'],
  ])
})

test('an alias in a rule means its tool', () => {
  expect(lint({ allow: ['Bash(git status)', 'bash(git status)'] })).toEqual([
    ['bash(git status)', 'never'],
  ])
  expect(lint({ allow: ['read_file(src/**)'], deny: ['Read'] })).toEqual([
    ['read_file(src/**)', 'never'],
  ])
})

test('good rules cause no warnings', () => {
  const allow = ['Bash(git:*)', 'Bash(npm run test:*)', 'Read(src/**)', 'WebFetch(domain:go.dev)']
  expect(lint({ allow, deny: ['Read(.env)', 'Bash(rm -rf:*)', 'Bash(python3:*)'] })).toEqual([])
})
