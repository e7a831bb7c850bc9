import { describe, expect, test } from 'vitest'
import { fileSystemWith, verdictIn } from '../../test/file-system.ts'
import { programNamed } from './programs/index.ts'

const fileSystem = fileSystemWith(['a.txt', '.env', 'src/', 'src/a.ts', 'tool/', 'tool/.env'])
const verdict = (command: string, allow: readonly string[] = [], deny: readonly string[] = []) =>
  verdictIn(fileSystem, command, { allow, deny })

describe('a program with a name like a listed one needs a rule', () => {
  test.each([
    ...['./true', './false', './exit', 'script/test -f x', 'true-1', ':-', 'true.exe', 'TRUE.EXE'],
    ...['./:', 'bin/[ x ]', './read x', './cd src', 'cd-1 src', './export CI=1', './set -e'],
    ...['/bin/true', '../true', './wait', './return', './break', 'x/continue'],
  ])('if the listed program has no effect: %s', async (command) => {
    expect(await verdict(command)).toBe('ask')
  })

  test.each([
    ...['./timeout 5 ls', './env ls', 'nice-1 ls', './command ls', 'time.exe ls', './nohup ls'],
    ...['./builtin ls', 'x/stdbuf -oL ls', './ionice ls', '/usr/bin/env CI=1 ls', 'env-2 ls'],
    ...['./command -v ls', './env', './timeout'],
  ])('if the listed program only runs another: %s', async (command) => {
    expect(await verdict(command, ['Bash(ls:*)'])).toBe('ask')
  })
})

describe('a program with a name like a listed one gets no permissions from it', () => {
  const rules = (name: string): string[] => [`Bash(${name}:*)`, 'Bash(cat:*)', 'Bash(git:*)']

  test.each([
    ['harmless words', './echo', '"$(cat a.txt)"'],
    ['words after a format', './printf', '%s "$(cat a.txt)"'],
    ['texts of options', './git', 'commit -m "$(cat a.txt)"'],
    ['a folder to run in', './git', '-C src status'],
    ['a prefix', 'IFS= ./read', 'x'],
    ['input that is only data', './cat', '<<x\ny\nx'],
  ])('%s', async (_, name, words) => {
    const own = name.replace('IFS= ', '')
    expect(await verdict(`${name} ${words}`, rules(own))).toBe('ask')
    const plain = `${name} ${words}`.replace('./', '')
    expect(await verdict(plain, rules(own.slice(2)))).toBe('allow')
  })

  test.each([
    ['the names it prints', 'find src -name "*.ts" | xargs cat', ['Bash(xargs cat:*)']],
    ['the lines it passes on', 'find src -name "*.ts" | sort | xargs cat', ['Bash(xargs cat:*)']],
    ['its changes', 'grep x a.txt && cat src/*.ts', []],
    ['its target folder', 'cd src && cat a.ts', []],
    ['only files that git tracks', 'git diff', []],
    ['the selected files', 'grep -r --include="*.ts" x .', []],
    ['only names of files', 'ls -a .', []],
  ])('%s', async (_, command, more) => {
    const names = ['find', 'sort', 'grep', 'cd', 'git', 'ls', 'cat']
    const allow = [...names, ...names.map((name) => `./${name}`)].map((name) => `Bash(${name}:*)`)
    const deny = ['Read(.env)']
    const view = { ...fileSystem, repository: () => REPOSITORY }
    const decided = (text: string) => verdictIn(view, text, { allow: [...allow, ...more], deny })
    expect(await decided(command)).toBe('allow')
    const first = command.includes('sort') ? command.replace('sort', './sort') : `./${command}`
    expect(await decided(first)).toBe('ask')
  })

  const REPOSITORY = { root: '/work', files: ['a.txt'], submodules: [], repositories: [] }

  test('for a variable that the listed program would set', async () => {
    const allow = ['Bash(./read:*)', 'Bash(echo:*)']
    expect(await verdict('read x; echo "$x"', allow)).toBe('allow')
    expect(await verdict('./read x; echo "$x"', allow)).toBe('ask')
  })

  test('for operands that the listed program treats as text', async () => {
    expect(await verdict('./echo .env', ['Bash(./echo:*)'], ['Read(.env)'])).toBe('deny')
    expect(await verdict('echo .env', ['Bash(echo:*)'], ['Read(.env)'])).toBe('allow')
  })

  test('for the command it runs', async () => {
    const allow = ['Bash(./true:*)', 'Bash(./timeout:*)']
    expect(await verdict('./true rm x', allow)).toBe('allow')
    expect(await verdict('./true rm x', allow, ['Bash(rm:*)'])).toBe('ask')
    expect(await verdict('./timeout 5 rm -rf x', allow)).toBe('ask')
    expect(await verdict('./timeout 5 rm -rf x', allow, ['Bash(rm:*)'])).toBe('deny')
  })
})

test('a program with a name like a listed one has its restrictions', async () => {
  for (const command of ['./find . -delete', './git -c core.pager=x log', './sed -i s/a/b/ a.txt'])
    expect(await verdict(command, [`Bash(${command.split(' ')[0]}:*)`])).toBe('ask')
  expect(await verdict('/bin/rm -fr x', ['Bash(*)'], ['Bash(rm -rf:*)'])).toBe('deny')
  expect(await verdict('/usr/bin/git status', ['Bash(/usr/bin/git:*)'])).toBe('allow')
  expect(await verdict('python3.12 x.py', ['Bash(python3.12:*)'])).toBe('allow')
  expect(await verdict('/usr/bin/git status', ['Bash(git:*)'])).toBe('ask')
})

test('an entry is created once', () => {
  expect(programNamed('./git')).toBe(programNamed('git.exe'))
  expect(programNamed('./git')).not.toBe(programNamed('git'))
})
