import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../../tests/helpers/size.ts'
import { judge, fileSystem } from '../../test/judge-shell.ts'
import { plainRules, reachingCommands } from '../../test/shell-commands.ts'
import { disguises } from '../../test/shell-disguises.ts'
import { analyze } from './analyze.ts'

const { numRuns } = runs(1000)

/** Rules that a user might add without much thought. */
const allow = [
  ...plainRules,
  '*',
  'timeout:*',
  'nice:*',
  'env:*',
  'sudo:*',
  'bash:*',
  'eval:*',
  'xargs:*',
]

/** Strings that may precede a simple command. */
const prefixes: ((text: string) => string)[] = [
  (text) => `timeout 5 ${text}`,
  (text) => `nice -n 5 ${text}`,
  (text) => `nohup ${text}`,
  (text) => `env ${text}`,
  (text) => `command ${text}`,
  (text) => `sudo ${text}`,
  (text) => `setsid ${text}`,
  (text) => `xargs ${text}`,
  (text) => `find . -exec ${text} \\;`,
]

/** Strings that may surround any command. */
const wrappers: ((text: string) => string)[] = [
  (text) => `true && ${text}`,
  (text) => `ls; ${text}`,
  (text) => `ls | { ${text}\n}`,
  (text) => `(${text}\n)`,
  (text) => `{ ${text}\n}`,
  (text) => `! ${text}`,
  (text) => `if true; then ${text}\nfi`,
  (text) => `for x in a; do ${text}\ndone`,
  (text) => `while true; do ${text}\ndone`,
  (text) => `case a in a) ${text}\nesac`,
  (text) => `echo $(${text}\n)`,
  (text) => `echo "$(${text}\n)"`,
  (text) => `cat <(${text}\n)`,
  (text) => `cat <<E\n$(${text}\n)\nE`,
  (text) => `x=$(${text}\n)`,
  (text) => `bash -c ${quoted(text)}`,
  (text) => `eval ${quoted(text)}`,
  (text) => `trap ${quoted(text)} EXIT`,
  (text) => `  ${text}  `,
  (text) => `f() { ${text}\n}`,
  (text) => `coproc { ${text}\n}`,
]
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Equivalent spellings of a letter in a plain word. */
const spellings: ((letter: string) => string)[] = [
  (letter) => letter,
  (letter) => `\\${letter}`,
  (letter) => `'${letter}'`,
  (letter) => `"${letter}"`,
  (letter) => `''${letter}`,
  (letter) => `\\\n${letter}`,
  (letter) => `$'\\x${letter.charCodeAt(0).toString(16)}'`,
]
const blanks = [' ', '  ', '\t', ' \\\n', ' \\\n  ']

const respell = (text: string, choices: readonly number[]): string => {
  let at = 0
  const choose = (count: number) => choices[at++ % choices.length]! % count
  return text
    .split(' ')
    .map((word) => word.replace(/\w/g, (letter) => spellings[choose(spellings.length)]!(letter)))
    .reduce((line, word) => line + blanks[choose(blanks.length)] + word)
}

const plain = reachingCommands.filter((text) => /^[\w ./@:=-]+$/.test(text))
const around = fc.array(fc.constantFrom(...wrappers), { maxLength: 4 })
const before = fc.array(fc.constantFrom(...prefixes), { maxLength: 2 })
const wrapped = fc.tuple(before, around).map((both) => both.flat())
const inAll = (text: string, around: readonly ((text: string) => string)[]): string =>
  around.reduce((inner, wrap) => wrap(inner), text)

describe('disguised attacks are never allowed', () => {
  test('inside wrappers', { timeout: 120_000 }, () => {
    fc.assert(
      fc.property(fc.constantFrom(...reachingCommands, ...disguises), around, (text, outside) => {
        const name = text.split(' ')[0]!
        const rules = {
          allow: [...allow.filter((pattern) => pattern !== text), `${name}:*`],
          deny: ['rm -rf:*', 'curl:*', 'git push:*'],
        }
        expect(judge(inAll(text, outside), rules)).not.toBe('allow')
      }),
      { numRuns },
    )
  })

  test('in other spellings', { timeout: 120_000 }, () => {
    const choices = fc.array(fc.nat(100), { minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(fc.constantFrom(...plain), choices, wrapped, (text, numbers, outside) => {
        const name = text.split(' ')[0]!
        expect(
          judge(inAll(respell(text, numbers), outside), { allow: [...allow, `${name}:*`] }),
        ).not.toBe('allow')
      }),
      { numRuns },
    )
  })

  test('a denied command is denied in every spelling', { timeout: 120_000 }, () => {
    const choices = fc.array(fc.nat(100), { minLength: 1, maxLength: 40 })
    const denied = fc.constantFrom(
      'rm -rf x',
      'rm -r -f x',
      'git push origin',
      'git -C . push',
      'frob a b',
    )
    fc.assert(
      fc.property(denied, choices, wrapped, (text, numbers, outside) => {
        const deny = ['rm -rf:*', 'git push:*', 'frob a:*']
        expect(judge(inAll(respell(text, numbers), outside), { allow, deny })).toBe('deny')
      }),
      { numRuns },
    )
  })
})

describe('any text is analyzed', () => {
  const pieces = fc.constantFrom(
    ...'a \n\'"`$(){}[]<>&|;#\\*~='.split(''),
    '<<E',
    '\nE\n',
    '$((',
    '))',
    '[[ ',
    ' ]]',
    'if ',
    'then ',
    'fi',
    'case ',
    ' in ',
    'esac',
    'do ',
    'done',
    'for x',
    'sh -c ',
    'eval ',
    'env ',
    'find -exec ',
    '-S',
    '\0',
    '\r',
    '\ud800',
    '🙂',
    '1',
    '-',
  )
  test.each([
    ['of pieces of shell', fc.array(pieces, { maxLength: 60 }).map((parts) => parts.join(''))],
    ['of anything', fc.string({ unit: 'binary', maxLength: 200 })],
  ])('%s', { timeout: 120_000 }, (_, texts) => {
    fc.assert(
      fc.property(texts, (text) => {
        const script = analyze(text, fileSystem)
        expect(script.commands.length + script.doubts.length).toBeGreaterThan(0)
      }),
      { numRuns },
    )
  })

  const long: Record<string, (size: number) => string> = {
    words: (size) => `git log ${'abc '.repeat(size / 4)}`,
    commands: (size) => 'ls a; '.repeat(size / 6),
    wrappers: (size) => 'env '.repeat(size / 4),
    substitutions: (size) => 'echo $('.repeat(size / 8) + ')'.repeat(size / 8),
    quotes: (size) => `echo ${'"'.repeat(size)}`,
    backslashes: (size) => `echo ${'\\'.repeat(size)}`,
    comments: (size) => `${'# '.repeat(size / 2)}\n)`,
    newlines: (size) => `echo "$(cat <<E\n${'\n'.repeat(size)}x\nE\n)"`,
    digits: (size) => `${'1'.repeat(size)}a`,
    braces: (size) => `ls ${'{a,'.repeat(size / 4)}${'}'.repeat(size / 4)}`,
    sections: (size) => `find . ${'-exec rm {} ; '.repeat(size / 14)}`,
    scripts: (size) => `sed '${'s/a/b/;'.repeat(size / 7)}'`,
    'a megabyte': (size) => 'git status '.repeat(size * 10),
  }
  test.each(Object.entries(long))('in a bounded time: %s', (_, text) => {
    expect(analyze(text(9000), fileSystem).commands).toBeInstanceOf(Array)
  })
})
