import { describe, expect, test } from 'vitest'
import { analyze } from './analyze.ts'
import { fileSystem } from '../../test/judge-shell.ts'

/** The simple commands in a shell command, with `?` for an unknown word. */
const commands = (text: string): string[] =>
  analyze(text, fileSystem)
    .commands.filter((command) => !command.guess)
    .map((command) => command.words.map((word) => word ?? '?').join(' '))

const doubts = (text: string): readonly string[] => analyze(text, fileSystem).doubts

describe('finds every simple command', () => {
  const found: Record<string, string[]> = {
    'ls -la': ['ls -la'],
    'a && b || c; d & e | f |& g': ['a', 'b', 'c', 'd', 'e', 'f', 'g'],
    'a\nb': ['a', 'b'],
    '(a; { b; })': ['a', 'b'],
    '! a': ['a'],
    'time a': ['a'],
    'if a; then b; elif c; then d; else e; fi': ['a', 'b', 'c', 'd', 'e'],
    'while a; do b; done': ['a', 'b'],
    'until a; do b; done': ['a', 'b'],
    'for x in $(a); do b; done': ['a', 'b'],
    'case $(a) in b) c;; d) e;; esac': ['a', 'c', 'e'],
    'select x in a; do b; done': ['b'],
    'f() { a; }': ['a'],
    'function f { a; }': ['a'],
    'coproc a': ['a'],
    'echo $(a) `b` "$(c)"': ['a', 'b', 'c', 'echo ? ? ?'],
    'echo `echo \\`a\\``': ['a', 'echo ?', 'echo ?'],
    'cat <(a) > >(b)': ['a', 'b', 'cat ?'],
    'cat <<E\n$(a)\nE': ['a', 'cat'],
    'cat <<< "$(a)"': ['a', 'cat'],
    'x=$(a)': ['a', ''],
    'x[$(a)]=1': ['a', ''],
    'x=($(a) $(b))': ['a', 'b', ''],
    'X=$(a) b': ['a', 'b'],
    'echo ${x:-$(a)} ${x/$(b)/$(c)} ${x[$(d)]}': ['a', 'b', 'c', 'd', 'echo ? ? ?'],
    'echo $((x[$(a)]))': ['a', 'echo ?'],
    '(( x[$(a)] ))': ['a'],
    'for ((i = $(a); i < 1; i++)); do b; done': ['a', 'b'],
    '[[ -n $(a) && b == $(c) ]]': ['a', 'c', '[[ -n ? b == ? ]]'],
    'echo {a,$(b)}': ['b', 'echo ?'],
    'a > $(b)': ['b', 'a'],
    'export x=$(a)': ['a', 'export ?'],
    'timeout 5 git status': ['timeout 5 git status', 'git status'],
    'env A=b nice -n 5 a b': ['env A=b nice -n 5 a b', 'nice -n 5 a b', 'a b'],
    "sh -c 'a; b'": ['sh -c a; b', 'a', 'b'],
    "eval 'a; b' c": ['eval a; b c', 'a', 'b c', 'a', 'b'],
    'find . -exec a {} \\; -o -ok b c \\;': ['find . -exec a {} ; -o -ok b c ;', 'a ?', 'b c'],
    'echo a | xargs -n 1 b c': ['echo a', 'xargs -n 1 b c', 'b c ?'],
    "echo 'a b' | sh": ['echo a b', 'sh', 'a b'],
    "ssh host 'a b'": ['ssh host a b', 'a b'],
    'docker exec -it box a b': ['docker exec -it box a b', 'a b'],
    'kubectl exec pod -c box -- a b': ['kubectl exec pod -c box -- a b', 'a b'],
  }
  test.each(Object.entries(found))('%j', (text, expected) => {
    expect(commands(text)).toEqual(expected)
  })
})

test.each([
  ['r""m', 'rm'],
  ["r'm'", 'rm'],
  ['\\rm', 'rm'],
  ["$'\\x72m'", 'rm'],
  ["$'\\162m'", 'rm'],
  ['r\\\nm', 'rm'],
  ['"a b"', 'a b'],
  ['$x', '?'],
  ['~/x', '/home/me/x'],
  ['~you/x', '?'],
  ['a*', '?'],
  ['{a,b}', 'a b'],
  ['x{1..3}y', 'x1y x2y x3y'],
  ['{a,b{c,d}}', '?'],
  ['{01..3}', '?'],
  ['"$(cat <<\'E\'\nsome text\nE\n)"', 'some text'],
])('the word %j is %j', (word, value) => {
  expect(commands(`echo ${word}`)).toEqual([`echo ${value}`])
})

describe('anything unproved is a doubt', () => {
  test.each([
    'echo "a',
    "echo 'a",
    'echo $(',
    'echo `a',
    'ls (',
    'ls )',
    'a |',
    '| a',
    'if a',
    '{ a',
    '',
    '  ',
    '# only this',
    '!',
    'time',
    'ls\0',
    'ls\r',
    'ls\u00a0a',
    'ls\u200b',
    'ls \u202e',
    'ls \u001b[2K',
    'ls \ud800',
    'r\\\nm',
    'a # \\\nb',
    'f() { :; }',
    'coproc a',
    'for PATH in a; do b; done',
    'while a; do cd b; done',
    '((x++))',
    'cd $x',
    'cd -',
    `echo ${'a'.repeat(10_000)}`,
    'a; '.repeat(600),
    '$('.repeat(100) + ')'.repeat(100),
    '('.repeat(300) + 'a' + ')'.repeat(300),
    `${'echo $('.repeat(30)}a${')'.repeat(30)}`,
    "touch 'a b'; ls | xargs cat",
    'case $x in a) b;; esac',
    '{ a; } >&3',
    'select x in a; do b; done',
  ])('%j', (text) => {
    expect(doubts(text)).not.toEqual([])
  })

  test.each([
    'cat <((echo a && cat <<-E && echo a\n))\ntouch x\nE\n))',
    'cat < <((a))',
    'a > >((b))',
  ])('%j is one, because bash parses two parentheses differently', (text) => {
    expect(doubts(text)).toContain('`((` is not arithmetic')
    expect(doubts('cat <(a; (b)) < <( (a))')).not.toContain('`((` is not arithmetic')
  })

  test.each([
    'ls -la',
    'a && b',
    'echo "ünïcode ✔️ 你好"',
    'a \\\n  b',
    'a # comment',
    'if [ -f x ]; then a; fi',
    'case x in y) a;; esac',
    '[[ -f x ]]',
  ])('%j is not a doubt', (text) => {
    expect(doubts(text)).toEqual([])
  })
})

test.each([
  ['a > "$x"', 'a', ['a redirection to an unknown file: > "$x"']],
  ['a > "b $x"', 'a', ['a redirection to an unknown file: > "b $x"']],
  ['eval a', 'eval a', []],
  ['eval a $x', 'eval a ?', ['the variable $x', 'code that is unknown until it runs']],
  ['env LD_PRELOAD=a=b c', 'c', ['sets LD_PRELOAD']],
  ['env A=b=c d', 'd', ['sets A']],
  ['[[ -f a* ]]', '[[ -f ? ]]', []],
  ['[[ {a,b} == c ]]', '[[ ? == c ]]', ['braces']],
])('%j: the doubts about %j', (text, words, expected) => {
  const found = analyze(text, fileSystem).commands.find(
    (command) => !command.guess && command.words.map((word) => word ?? '?').join(' ') === words,
  )
  expect(found?.doubts).toEqual(expected)
})

test.each(['sh < a', 'sh <> a', 'sh 0<> a', 'sh <<< a', 'sh <<E\na\nE', 'a | sh'])(
  '%j: the input is not the terminal',
  (text) => {
    const found = analyze(text, fileSystem).commands.find(({ words }) => words[0] === 'sh')
    expect(found).toMatchObject({ fed: true })
  },
)

test('the expanded words are shown only if they differ from the judged ones', () => {
  const shown = (text: string) =>
    analyze(text, fileSystem).commands.find(({ words }) => words[0] === 'echo')?.shown
  expect(shown('for x in b; do echo $x; done')).toBe('echo b')
  expect(shown('echo $x')).toBeUndefined()
})

describe('used files and pages', () => {
  const touches = (text: string): string[] =>
    analyze(text, fileSystem).operations.map((operation) =>
      operation.kind === 'fetch'
        ? `fetch ${operation.url}`
        : `${operation.implied ? '(' : ''}${operation.kind} ${operation.path ?? '?'} in ${operation.cwd ?? '?'}`,
    )
  const cases: Record<string, string[]> = {
    'a > x': ['write x in /work'],
    'a >> x 2> y': ['write x in /work', 'write y in /work'],
    'a >| x': ['write x in /work'],
    'a &> x': ['write x in /work'],
    'a >& x': ['write x in /work'],
    'a <> x': ['read x in /work', 'write x in /work'],
    'a < x': ['read x in /work'],
    '> x': ['write x in /work'],
    'if a; then b; fi > x': ['write x in /work'],
    'a > "$x"': ['write ? in /work'],
    'a > ~/x': ['write /home/me/x in /work'],
    'a > /dev/null 2>&1 >&2': [],
    'a > /dev/tcp/host/80': ['fetch http://host:80'],
    'cat a b': ['read a in /work', 'read b in /work'],
    'cat -n a': ['read a in /work'],
    'head -n 5 a': ['read a in /work'],
    'grep -rn x a b': ['read a in /work', 'read b in /work'],
    'grep -e x a': ['read a in /work'],
    'grep -f p a': ['read a in /work', 'read p in /work'],
    'sed -i s/a/b/ x': ['write x in /work'],
    'sed -n 5p x': ['read x in /work'],
    'sort -o y x': ['read x in /work', 'write y in /work'],
    'cp a b c': [
      'read a in /work',
      'read b in /work',
      'write c in /work',
      'write c/a in /work',
      'write c/b in /work',
    ],
    'mv a/ b': [
      'read a/ in /work',
      'write a/ in /work',
      'write b in /work',
      'write b/a in /work',
      'write b/a in /work',
      'write b in /work',
    ],
    'uniq a b': ['read a in /work', 'write b in /work'],
    'tee a': ['write a in /work'],
    'touch a': ['(write a in /work'],
    'rm a': ['(write a in /work'],
    'ls src': ['list src in /work'],
    'find src -name x': ['list src in /work'],
    'frobnicate a --from=b': ['(read a in /work', '(read b in /work'],
    'git show HEAD:a': ['(read HEAD:a in /work', '(read a in /work', '(read HEAD in /work'],
    'dd if=a of=b': ['read a in /work', 'write b in /work'],
    'tar cf a b': [
      '(read cf in /work',
      '(write cf in /work',
      '(read a in /work',
      '(write a in /work',
      '(read b in /work',
      '(write b in /work',
    ],
    'curl https://example.org/x': ['fetch https://example.org/x'],
    'curl example.org': ['fetch http://example.org'],
    'curl file:///etc/hosts': ['read /etc/hosts in /work'],
    'echo a/b': [],
    'grep -rn x': ['read . in /work'],
    'grep -rn x a': ['read a in /work'],
    'grep x': [],
    'rg --hidden x': ['read . in /work'],
    'rg -e x': ['read . in /work'],
    'rg x a': ['read a in /work'],
    'a | rg x': [],
    'touch -m a': ['(write a in /work'],
    'mkdir -Z a': ['(write a in /work'],
    'cd a && cat b': ['list a in /work', 'read b in /work/a'],
    'cd a; cat b': ['list a in /work', 'read b in /work/a', 'read b in /work'],
    'cd a || cat b': ['list a in /work', 'read b in /work'],
    '(cd a); cat b': ['list a in /work', 'read b in /work'],
    'cd a & cat b': ['list a in /work', 'read b in /work'],
    'cd a | cat b': ['list a in /work', 'read b in /work'],
    'cd a && cd .. && cat b': ['list a in /work', 'list .. in /work/a', 'read b in /work'],
    '{ ! cd a; } < c || cat b': [
      'read c in /work',
      'list a in /work',
      'read b in /work',
      'read b in /work/a',
    ],
    'cd /etc && cat b': ['list /etc in /work', 'read b in /etc'],
    'cd && cat b': ['list /home/me in /work', 'read b in /home/me'],
    'cd $x && cat b': ['read b in ?'],
    'popd; cat b': ['read b in ?', 'read b in /work'],
    'cat a/b*': ['(read a/ in /work'],
    'cat b*': ['(read . in /work'],
    'ls | xargs cat': ['read . in /work'],
    'command cat a': ['read a in /work'],
    'pushd a && cat b': ['list a in /work', 'read b in /work/a'],
    'if cd a; then cat b; else cat c; fi': [
      'list a in /work',
      'read b in /work/a',
      'read c in /work',
    ],
  }
  test.each(Object.entries(cases))('%j', (text, expected) => {
    expect(touches(text)).toEqual(expected)
  })

  test('marks removals', () => {
    expect(analyze('rm -r a', fileSystem).operations).toEqual([
      { kind: 'write', path: 'a', cwd: '/work', because: 'rm a', implied: true, removes: true },
    ])
  })
})
