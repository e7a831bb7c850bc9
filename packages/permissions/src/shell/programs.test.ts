import { describe, expect, test } from 'vitest'
import { judge, judgeWith } from '../../test/judge-shell.ts'
import { plainCommands, plainRules, reachingCommands } from '../../test/shell-commands.ts'
import { disguises, opaque } from '../../test/shell-disguises.ts'
import { tails } from '../../test/shell-tails.ts'
import { list } from './program.ts'
import { programNamed, TABLES } from './programs/index.ts'
import { share } from '../../../../tests/helpers/size.ts'

describe('plain commands are allowed by their rules', () => {
  test.each(plainCommands)('%j', (text) => {
    expect(judge(text, { allow: plainRules })).toBe('allow')
  })
})

describe('a rule for a program does not cover forms that write, run or load more', () => {
  test.each(reachingCommands)('%j', (text) => {
    const name = text.split(' ')[0]!
    const verdicts = judgeWith(text, [
      { allow: [`${name}:*`] },
      { allow: [`${name} *`] },
      { allow: ['*'] },
    ])
    expect(verdicts).toEqual(['ask', 'ask', 'ask'])
  })
})

test('without a rule, only commands without effect run', () => {
  const names = TABLES.flat().flatMap((program) => (program.idle ? [] : list(program.names)))
  const tried = ['command', ...share(names, 4)].filter((name, at, all) => all.indexOf(name) === at)
  const texts = tried.flatMap((name) =>
    ['', ' x', ' x.y z', ' -v', ' --version', ' -m x'].map((words) => name + words),
  )
  expect(texts.filter((text) => judge(text, {}) === 'allow')).toEqual(['command -v'])
})

describe('a narrow rule does not cover every command with its first words', () => {
  test.each(
    tails.flatMap(({ rules, commands }) =>
      commands.map((text): [string, readonly string[]] => [text, rules]),
    ),
  )('%j', (text, allow) => {
    expect(judge(text, { allow })).toBe('ask')
  })
})

describe('a deny rule covers every disguise', () => {
  const rules = { allow: ['*'], deny: ['rm -rf:*', 'sudo:*', 'curl:*', 'git push:*'] }
  test.each(disguises)('%j', (text) => {
    expect(judge(text, rules)).toBe('deny')
  })
})

describe('unknown commands need approval, whatever is allowed', () => {
  const rules = { allow: ['*', 'ls:*', 'cat:*', 'echo:*'], deny: ['rm -rf:*'] }
  test.each(opaque)('%j', (text) => {
    expect(judge(text, rules)).not.toBe('allow')
  })
})

test.each([
  ['python3.12', 'python3'],
  ['/usr/bin/gcc-13', 'gcc'],
  ['ld-linux-x86-64.so.2', 'ld-linux-x86-64.so'],
  ['git.exe', 'git'],
])('%s is like %s', (name, known) => {
  expect(programNamed(known)?.alike).toBeUndefined()
  expect(programNamed(name)).toMatchObject({ names: programNamed(known)!.names, alike: true })
})

test('properties of Object are not programs', () => {
  for (const name of ['constructor', '__proto__', 'toString', ''])
    expect(programNamed(name)).toBeUndefined()
})

test('every program is listed once', () => {
  const names = TABLES.flat().flatMap((program) => list(program.names))
  expect(names.filter((name, at) => names.indexOf(name) < at)).toEqual([])
})
