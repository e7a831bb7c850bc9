import { describe, expect, test } from 'vitest'
import { fileSystem } from '../../test/judge-shell.ts'
import { plainCommands, reachingCommands } from '../../test/shell-commands.ts'
import { disguises, opaque } from '../../test/shell-disguises.ts'
import { fileSystemWith } from '../../test/file-system.ts'
import { decide } from '../decide/decide.ts'
import { analyze } from './analyze.ts'
import { share } from '../../../../tests/helpers/size.ts'

const known = new Map<string, string | undefined>()
const printed = (text: string): string | undefined => {
  if (!known.has(text)) known.set(text, analyze(text, fileSystem).runs)
  return known.get(text)
}

/** Shell commands and their printed forms. */
const CONSTRUCTS: Record<string, readonly (readonly [string, string])[]> = {
  words: [
    ['echo a "b c" \'d\' e\\ f', `'echo' 'a' 'b c' 'd' 'e f'`],
    ["echo it\\'s", `'echo' 'it'"'"'s'`],
    [`echo "" ''`, `'echo' '' ''`],
    ["echo $'a\\tb'", "'echo' 'a\tb'"],
    ['echo ä "a\nb"', "'echo' 'ä' 'a\nb'"],
    ['echo ~/x "~"', `'echo' '/home/me/x' '~'`],
    ['echo {a,b}c {1..3}', `'echo' 'ac' 'bc' '1' '2' '3'`],
    ['a # comment', `'a'`],
  ],
  expansions: [
    ['echo $x "$x" ${x}y', "set -f\n'echo' ${x} \"${x}\" ${x}'y'"],
    [
      'echo "${x:-d}" "${x%.ts}" "${x##*/}" "${#x}" "${x^^}"',
      '\'echo\' "${x:-d}" "${x%.ts}" "${x##*/}" "${#x}" "${x^^}"',
    ],
    ['echo "$?" "$1" "$#"', '\'echo\' "${?}" "${1}" "${#}"'],
    ['echo $(a | b) "$(c)" `d`', "set -f\n'echo' $( 'a' | 'b' ) \"$( 'c' )\" $( 'd' )"],
    [`echo "$(a "$(b 'c')")"`, `'echo' "$( 'a' "$( 'b' 'c' )" )"`],
    ['diff <(a) <(b)', `'diff' <( 'a' ) <( 'b' )`],
    ['tee >(a)', `'tee' >( 'a' )`],
    ['echo "$(cat <<E\nplain\nE\n)"', `'echo' 'plain'`],
    ['echo "$((1 + 2 * (x - $y)))"', '\'echo\' "$(( 1 + 2 * (x - ${y}) ))"'],
  ],
  lists: [
    ['ls | wc -l |& cat', `'ls' | 'wc' '-l' |& 'cat'`],
    ['a && b || c', `'a' && 'b' || 'c'`],
    ['a; b & c\nd &\nwait', "'a'; 'b' & 'c'\n'd' &\n'wait'"],
    ['! a | b', `! 'a' | 'b'`],
    ['time -p a', `time -p 'a'`],
    ['time a | b', `time 'a' | 'b'`],
  ],
  'compound commands': [
    ['(a; b)', "(\n'a'\n'b'\n)"],
    ['{ a; }', "{\n'a'\n}"],
    [
      'if a; then b; elif c; then d; else e; fi',
      "if\n'a'\nthen\n'b'\nelif\n'c'\nthen\n'd'\nelse\n'e'\nfi",
    ],
    ['while a; do b; done', "while\n'a'\ndo\n'b'\ndone"],
    ['until a; do b; done', "until\n'a'\ndo\n'b'\ndone"],
    ['for x in a "b c"; do d "$x"; done', "for x in 'a' 'b c'\ndo\n'd' \"${x}\"\ndone"],
    ['for ((i = 0; i < 3; i++)); do a; done', "for (( i = 0 ; i < 3 ; i ++ ))\ndo\n'a'\ndone"],
    ['for ((;;)); do a; done', "for ((  ;  ;  ))\ndo\n'a'\ndone"],
    [
      'case $x in a*|"b*") c;; [d-f]?) ;& "$y"$z) g;;& esac',
      "case \"${x}\" in\n('a'* | 'b*')\n'c'\n;;\n([d-f]?)\n;&\n(\"${y}\"${z})\n'g'\n;;&\nesac",
    ],
    ['((x += 1, y = !x ? 2 : -3))', '(( x += 1 , y = ! x ? 2 : - 3 ))'],
  ],
  tests: [
    ['[[ $x == a* && ! ( -f b ) ]]', "[[ ( \"${x}\" == 'a'* ) && ( ! ( -f 'b' ) ) ]]"],
    ['[[ a =~ ^b+$ || 1 -lt 2 ]]', `[[ ( 'a' =~ ^b+$ ) || ( '1' -lt '2' ) ]]`],
    ['[[ a =~ "b.c" ]]', `[[ 'a' =~ 'b.c' ]]`],
    ['[[ a =~ $x ]]', "[[ 'a' =~ ${x} ]]"],
    ['[[ a != [a-z]?"*" ]]', `[[ 'a' != [a-z]?'*' ]]`],
    ['[[ -n $x ]]', '[[ -n "${x}" ]]'],
  ],
  'here-documents': [
    ['cat <<E\na $x \\$y\nE', "'cat' 0<<<'a '\"${x}\"' $y'"],
    ["cat <<'E'\nit's $x\nE", `'cat' 0<<<'it'"'"'s $x'`],
    ['cat <<-E\n\ta\n\tE', `'cat' 0<<<'a'`],
    ['cat <<E\nE', `'cat' 0< '/dev/null'`],
    ['cat <<A 3<<B | c\n1\nA\n2\nB', `'cat' 0<<<'1' 3<<<'2' | 'c'`],
    ['cat <<< "a $x"', "'cat' 0<<<'a '\"${x}\""],
  ],
  redirections: [
    ['a > b 2>&1 < c', `'a' 1> 'b' 2>&1 0< 'c'`],
    ['a &> b', `'a' &> 'b'`],
    ['a &>> b', `'a' &>> 'b'`],
    ['a >& b', `'a' &> 'b'`],
    ['a 2>&- 3<>b 4>|c', `'a' 2>&- 3<> 'b' 4>| 'c'`],
    ['{ a; } >> b', "{\n'a'\n} 1>> 'b'"],
    ['> a', `1> 'a'`],
    ['a > $x 2> "$y"', 'set -f\n\'a\' 1> ${x} 2> "${y}"'],
    ['a < <(b)', `'a' 0< <( 'b' )`],
    ['a 1>&2', `'a' 1>&2`],
  ],
  assignments: [
    ['x=1 y="a b" a', `x='1' y='a b' 'a'`],
    ['x=$y', 'x="${y}"'],
    ['x+=$(a)', `x+="$( 'a' )"`],
    ['export x=$y', "'export' 'x='\"${y}\""],
    ['IFS= read -r x', `IFS='' 'read' '-r' 'x'`],
    ['x=*', `x='*'`],
  ],
}

describe.each(Object.entries(CONSTRUCTS))('prints %s', (_, rows) => {
  test.each(rows)('%s', (text, expected) => expect(printed(text)).toBe(expected))
})

test('prints the names of files in place of a pattern', async () => {
  const call = { name: 'Bash', args: { command: 'ls *.md x*' } }
  const files = fileSystemWith(['a b.md', "it's.md", '-n.md', '.hidden.md', 'c.ts'])
  const { runs } = await decide(call, { rules: [] }, files)
  expect(runs).toBe(`'ls' '-n.md' 'a b.md' 'it'"'"'s.md' 'x*'`)
})

/** Shell commands that can't be printed, and the reasons. */
const REFUSED: readonly (readonly [string, string])[] = [
  ['f() { a; }', 'defines a function'],
  ['coproc a', 'runs a coprocess'],
  ['x=(a b)', 'sets an array'],
  ['x[0]=a', 'sets an element of an array'],
  ['select x in a; do b; done', 'contains unsupported syntax: Select'],
  ['for x; do a; done', 'loops over the arguments of the shell'],
  ['cat *', 'has a pattern whose file names are looked up when it runs'],
  ['cat @(a|b)', 'has a pattern whose file names are looked up when it runs'],
  ['echo {a,b}{c,d}', 'has unusual braces'],
  ['echo ~root', 'has a tilde'],
  ['echo a=~/b', 'has a tilde'],
  ['echo $"a"', 'has text in $"…"'],
  ["echo $'\\xff'", `has text in $'…'`],
  ['echo "$@"', 'has an unusual parameter'],
  ['echo "$-"', 'has an unusual parameter'],
  ['echo "$_"', 'has an unusual parameter'],
  ['echo "$LINENO"', 'has an unusual parameter'],
  ['echo ${!x}', 'has an unusual parameter'],
  ['echo ${x[0]}', 'has an unusual parameter'],
  ['echo ${x/a/b}', 'has an unusual expansion'],
  ['echo ${x:-$y}', 'has an unusual expansion'],
  ['echo ${x:1:2}', 'has an unusual expansion'],
  ['echo "${x:?}"', 'has an unusual expansion'],
  ['a {fd}> b', 'has an unusual file descriptor'],
  ['a 10> b', 'has an unusual file descriptor'],
  ['a >&$x', 'has an unusual file descriptor'],
  ['a >&-b', 'has an unusual file descriptor'],
  ['a > *', 'has a pattern whose file names are looked up when it runs'],
  ['cat <<E\na', 'has a here-document without an end'],
  ['cat <<-E\n\t$x\n\tE', 'has an indented here-document with expansions'],
  ['echo $( )', 'has an empty substitution'],
  ['echo $((a) | b)', 'has `$((` that is not arithmetic'],
  ['echo "${ a; }"', 'has a substitution in the same shell'],
  ['echo a<(b)', 'bash may read part of it differently'],
  ['cat <(a)<(b)', 'bash may read part of it differently'],
  ['a >b<(c)', 'has text next to a process substitution'],
  ['x=a<(b)', 'has text next to a process substitution'],
  ['for x in a<(b); do c; done', 'bash may read part of it differently'],
  ['echo $((x[0]))', 'has unusual arithmetic'],
  ['echo $((a = $(b)))', 'has unusual arithmetic'],
  ['echo $((LINENO))', 'has unusual arithmetic'],
  ['[[ a =~ b\\.c ]]', 'has an unusual regular expression'],
  ['case a in @(b)) c;; esac', 'has an unusual pattern'],
  ['x=$(time a)', 'has `time` in a substitution'],
  ['! ! a', 'has an unusual pipeline'],
  ['%1', 'resumes a job'],
  ['set -f; echo $x', 'splits text into words after it may have changed how the shell does that'],
  ['eval a; echo $x', 'splits text into words after it may have changed how the shell does that'],
  ['cat a\\\nb', 'a backslash joins two lines inside a word'],
  ['echo $(', 'cannot be parsed: unterminated command substitution'],
  ['# nothing', 'runs no command'],
]

test.each(REFUSED)('does not print %j: it %s', (text, why) => {
  expect(analyze(text, fileSystem)).toMatchObject({ unprinted: why })
})

/** All printable shell commands in these tests. */
const all = [
  ...[...plainCommands, ...reachingCommands, ...disguises, ...opaque],
  ...Object.values(CONSTRUCTS).flatMap((rows) => rows.map(([text]) => text)),
].filter((text) => printed(text) !== undefined)

const commandsOf = (text: string) =>
  analyze(text, fileSystem).commands.flatMap(({ words, guess }) => (guess ? [] : [words]))

/** Joins adjacent quoted strings. */
const seamless = (text: string | undefined) => text?.replace(/(?<=[^\s'])''(?=[^\s'])/g, '')

test('a printed command is judged like the original and prints itself', () => {
  expect(all.length).toBeGreaterThan(1200)
  for (const text of share(all, 4)) {
    const once = printed(text)!
    const own = once.replace(/^(?:set -f\n)?(?:\w+=\n)*/, '')
    expect([text, seamless(printed(own))]).toEqual([text, seamless(once)])
    // Deny rules search a here-document that a shell reads, but not a here-string.
    if (!text.includes('<<E | sh'))
      expect([text, commandsOf(own)]).toEqual([text, commandsOf(text)])
  }
})

const NAME = String.raw`[A-Za-z_]\w*`
/** The possible tokens of a printed text: quoted text, and syntax from the printer. */
const TOKENS = [
  /'[^']*'/,
  /"'"/,
  // Quotes around an expansion.
  /"(?=\$)|(?<=[})])"/,
  RegExp(
    String.raw`\$\{#?(?:${NAME}|[1-9]\d?|[0#?$!])(?:(?::?[-+]|%%?|##?)[\w./:@,*?-]*|\^\^?|,,?)?\}`,
  ),
  /(?:\$|for )?\(\( (?:[\w\s+*/%<>=!&|^~?:,;(){}$-]*? )?\)\)/,
  /[$<>]?\( ?|\)/,
  /(?:if|then|elif|else|fi|while|until|do|done|case|in|esac|time -p|time|set -f)(?=[\s;)]|$)/,
  RegExp(String.raw`for ${NAME} in`),
  RegExp(String.raw`${NAME}\+?=(?=['"$]|\s|$)`),
  /\d(?:<<<|<>|>>|>\||[<>](?!&))|\d[<>]&(?:\d-?|-)|&>>?/,
  /;;&|;;|;&|;|&&|&|\|\||\|&|\||!|\{|\}|\s/,
  /\[\[ | \]\]/,
  /(?<==~ )\^?[\w.*+?@,:/-]+\$?/,
  /==?|!=|=~|[<>]|-[a-zA-Z]{1,2}(?= )/,
  /[*?]|\[[!^]?(?:[\w.,@%+=/-]|\[:[a-z]+:\])+\]/,
]
const TEXT = RegExp(`^(?:${TOKENS.map(({ source }) => `(?:${source})`).join('|')})*$`)

test('outside quotes, a printed command contains only names and operators of the original', () => {
  for (const text of all) expect(printed(text)).toMatch(TEXT)
  for (const text of ["'a' b", '"a"', '$(a)', '`a`', "'a' \\b", '"${a[b]}"', "'a' ~", "'a' $'b'"])
    expect(text).not.toMatch(TEXT)
})
