import { describe, expect, test } from 'vitest'
import { fileSystemWith, verdictIn } from '../../test/file-system.ts'

const files = ['a.json', 'b.json', 'list', 'src/', 'src/c.ts', 'src/deep/', 'src/deep/d.ts', '.env']
const fileSystem = {
  ...fileSystemWith([...files, 'x.ts/', 'x.ts/e', 'docs/', 'docs/a b.md', 'secret/', 'secret/k']),
  repository: () => ({
    root: '/work',
    files: ['a.json', 'src/c.ts', 'src/deep/d.ts', '.env', 'x.ts/e'],
    submodules: [],
    repositories: [],
  }),
}
const PROGRAMS =
  'cat echo printf find grep git head sort ls wc sed jq basename dirname cp mv touch seq awk tee rg'
const allow = [...PROGRAMS.split(' ').map((name) => `Bash(${name}:*)`), 'Write(./**)']
const verdict = (command: string, more: readonly string[] = [], deny = ['Read(.env)']) =>
  verdictIn(fileSystem, command, { allow: [...allow, ...more], deny })

describe('xargs needs no rule of its own', () => {
  test.each([
    // Arbitrary words.
    ...['ls | xargs -I{} echo {}', 'ls | xargs', 'ls src | xargs -n1 echo', 'seq 3 | xargs -n 1'],
    ...[
      'cat list | xargs -I % echo "file: %"',
      'cat list | xargs -n1 basename',
      'cat list | xargs',
    ],
    ...['git branch | xargs -I{} echo "- {}"', 'cat list | xargs -P4 -I{} dirname {}'],
    // Known names.
    ...["find src -name '*.ts' | xargs -I{} grep -n foo {}", 'find src | xargs -I % wc -l %'],
    ...[
      "find src -name '*.ts' | xargs -d '\\n' head -5",
      'find src -print0 | xargs -0 -I{} cat {}',
    ],
    ...["find src -name '*.ts' | xargs sed -n 1p", 'ls *.json | xargs -I{} jq . {}'],
    ...[
      'ls src/*.ts | xargs wc -l',
      'ls -1t *.json | head -1 | xargs cat',
      'echo a.json | xargs sort',
    ],
    ...['git ls-files src | xargs wc -l', "git ls-files '*.ts' 'src/*.json' | xargs grep -n foo"],
    ...["git ls-files 'src/*.ts' | xargs -I{} head -1 {}", 'rg -l foo src | xargs -I{} wc -l {}'],
    ...["git ls-files '*.json' | xargs jq ."],
  ])('%s', async (command) => {
    expect(await verdict(command)).toBe('allow')
  })
})

describe('xargs needs approval', () => {
  test.each([
    // Unknown names, or names of files that must not be read.
    ...[
      'cat list | xargs -I{} cat {}',
      'cat list | xargs grep x',
      'ls | xargs cat',
      'ls -a | xargs cat',
    ],
    ...['git ls-files | xargs cat', "git ls-files '.e*' | xargs cat", 'ls src | xargs cat'],
    ...['ls -I d *.json | xargs cat', 'ls -R *.json | xargs cat', 'ls $x | xargs cat'],
    ...["find src | xargs -d ' ' cat", 'find src | xargs -d , cat', 'git ls-files :/ | xargs cat'],
    ...['find docs | xargs cat', 'which node | xargs ls'],
    // Words that may be options, scripts, programs or targets.
    ...['cat list | xargs sed -n 1p', 'find src | xargs sed', 'find src | xargs sed -i s/a/b/'],
    ...['find src | xargs -I{} sed {} a.json', 'find src | xargs -I{} {} x', 'ls | xargs -I{} {}'],
    ...['echo -i src/c.ts | xargs sed s/a/b/', 'find src | xargs awk 1', 'find src | xargs tee'],
    ...['find src | xargs -I{} cp {} out/', 'find src | xargs -I{} mv {} out/', 'ls | xargs touch'],
    ...["find src | xargs -I{} sh -c 'echo {}'", 'ls | xargs -I{} git log {}', 'ls | xargs printf'],
    ...[
      'ls | xargs -Iecho echo x',
      'ls | xargs -I{} ./echo {}',
      'ls | ./xargs echo',
      'ls | xargs-1',
    ],
    // Variables set for the command, and words that are expanded.
    ...['LD_PRELOAD=./x.so xargs echo', 'PATH=evilbin xargs echo', 'ls | FOO=1 xargs'],
    ...['ls | PATH=evilbin xargs -I{} echo {}', 'find src | LD_PRELOAD=./x.so xargs grep x'],
    ...[
      'xargs echo "$HOME"/.s*/*',
      'ls | xargs echo "$x"',
      'ls | xargs echo ~/*',
      'ls | xargs echo $x',
    ],
    ...['xargs echo "$(date)"', 'ls | timeout 5 env PATH=evilbin xargs echo'],
    // Commands with other xargs options or other rules.
    ...[
      'xargs -a .env',
      'xargs -a list echo',
      'ls | xargs -p echo',
      'ls | xargs --process-slot-var=PATH echo',
    ],
    ...['ls | xargs hostname', 'ls | xargs rm', 'ls | xargs "$x"', 'ls | xargs -I"$x" echo y'],
  ])('%s', async (command) => {
    expect(await verdict(command)).not.toBe('allow')
  })
})

test('rules that deny xargs or the inner command, or require approval, apply', async () => {
  expect(await verdict('ls | xargs echo', [], ['Bash(xargs:*)'])).toBe('deny')
  expect(await verdict('ls | xargs -I{} echo {}', [], ['Bash(xargs echo:*)'])).toBe('deny')
  expect(await verdict('ls | xargs', [], ['Bash(echo:*)'])).toBe('deny')
  expect(await verdict('ls | xargs -n1 rm', ['Bash(xargs:*)'], ['Bash(rm:*)'])).toBe('deny')
  expect(await verdict('echo .env | xargs cat')).toBe('deny')
})

test('a rule for xargs with the program is sufficient', async () => {
  const rules = { allow: ['Bash(find:*)', 'Bash(xargs grep:*)', 'Bash(xargs echo:*)'] }
  expect(await verdictIn(fileSystem, 'find src | xargs -0 grep x', rules)).toBe('ask')
  expect(await verdictIn(fileSystem, 'find src | xargs grep x', rules)).toBe('allow')
  expect(await verdictIn(fileSystem, 'find src | xargs -I{} echo {}', rules)).toBe('allow')
  expect(await verdictIn(fileSystem, 'find src | xargs wc -l', rules)).toBe('ask')
})

test('git also prints the content of a folder with a matching name', async () => {
  const odd = fileSystemWith(['x.ts/', 'x.ts/a .env', '.env'])
  const repository = () => ({ root: '/work', files: ['x.ts/a .env'], repositories: [] })
  const rules = { allow, deny: [] }
  expect(await verdictIn({ ...odd, repository }, "git ls-files '*.ts' | xargs cat", rules)).toBe(
    'ask',
  )
})
