/** Words, assignments and redirections in every spelling that bash has. */

/** A word; where an expansion runs a command, it is one that no rule covers, or one that a rule does. */
export function word(source, depth) {
  const { pick, chance } = source
  const first = piece(source, depth)
  if (!chance(0.25)) return first
  return first + pick(['', '', "''", '""', '\\\n', '=', ',', '/', ':']) + piece(source, depth - 1)
}

const PLAIN = [
  ...[
    'a',
    'b',
    'notes.txt',
    'src',
    '.env',
    '-n',
    '--',
    'x=1',
    'x+=1',
    'x[0]=1',
    '-',
    '+',
    '.',
    '..',
  ],
  ...['if', 'then', 'done', 'in', 'do', '!', '{', '}', '[[', ']]', 'time', '[', ']', '%', '@', '^'],
  ...[
    '~',
    '~/a',
    '~+',
    '~root',
    'x=~',
    'a:~/b',
    '~-',
    '\\~',
    '"~"',
    'é',
    '\u3000',
    'a\u00a0b',
    '#a',
  ],
  ...['a#b', '\\#', '""', "''", '\\\\', '\\ ', "a\\'b", '\\\na', '\'a\'"b"c', '"a\\"b"', "'a\nb'"],
  ...[
    "$'a\\nb'",
    "$'\\x41'",
    "$'a\\'b'",
    '$"a"',
    '$',
    'a$',
    '"$"',
    '$\\a',
    "'$(a)'",
    '"`"',
    '=',
    '=a',
  ],
  ...['*', '*.txt', 'src/*', '?', '[a-z]*', '[!a]', '[]a]', '**', '?(a)', '@(a|b)', '!(a)', '+(a)'],
  ...[
    '{a,b}',
    '{a}',
    '{a,b',
    'a,b}',
    '{x},a}',
    '{},a}',
    '{a,{b,c}}',
    '{{a,b},c}',
    '{1..3}',
    '{a..c}',
  ],
  ...[
    '{1..',
    '{,a}',
    '{a,}',
    'a{,}b',
    '{a,b}{c,d}',
    '{a\\,b}',
    '{"a,b"}',
    '{a,"b}',
    '${',
    '{$x,a}',
  ],
  ...[
    '{a,b}}',
    '{{a,b}',
    '}{a,b}',
    '{a},{b}',
    '{a, b}',
    '{x..y}',
    '\\{a,b}',
    '{a,b\\}',
    '{a,b}"c"',
  ],
  ...['$x', '${x}', '$1', '$@', '"$@"', '$*', '$#', '$?', '$$', '$!', '$-', '$_', '${#x}', '${!x}'],
  ...['${x[0]}', '${x[@]}', '${!x@}', '${x@Q}', '${x@P}', '${x^^}', '${x,,}', '${x#a}', '${x%%a}'],
  ...['${x/a/b}', '${x//a}', '${x:1}', '${x:1:2}', '"$x"', '"${x}"', '"a $x b"', '$HOME', '"$PWD"'],
  ...[
    '$((1+1))',
    '$((x))',
    '$[1+1]',
    '$((1',
    '$(())',
    '$(( 1 ))',
    '"$((1+1))"',
    '1..3',
    'a\tb',
    'a\rb',
  ],
]

function piece(source, depth) {
  const { pick, chance, bad, good } = source
  if (depth <= 0 || chance(0.6)) return pick(PLAIN)
  const run = () => (chance(0.5) ? bad() : good())
  const inner = () => word(source, depth - 1)
  const item = pick([
    ...[
      `$(${run()})`,
      `\`${run()}\``,
      `"$(${run()})"`,
      `"\`${run()}\`"`,
      `<(${run()})`,
      `>(${run()})`,
    ],
    ...[`$(${run()}`, `$( (${run()}) )`, `$((${run()}))`, `$(${run()} #)\n)`, `$(${run()}\n)`],
    ...[`\${x:-${inner()}}`, `\${x:+${inner()}}`, `\${x:=${inner()}}`, `\${x:-$(${run()})}`],
    ...[`"\${x:-${inner()}}"`, `"\${x:-$(${run()})}"`, `\${x#$(${run()})}`, `\${x/a/$(${run()})}`],
    ...[`\${x[$(${run()})]}`, `$((x[$(${run()})]))`, `$[$(${run()})]`, `"\${x:-'$(${run()})'}"`],
    ...[`\`${run()} \\\`${run()}\\\`\``, `$(${run()} "$(${run()})")`, `"$(${run()} "a")"`],
    ...[`{a,$(${run()})}`, `{${inner()},b}`, `[${inner()}]`, `@(${inner()}|b)`, `a[ ]$(${run()})`],
    ...[`1<(${run()})`, `1>({${run().replaceAll(' ', ',')}})`, `{f}<(${run()})`, `a<(${run()})`],
    ...[
      `=(${run()})`,
      `x=(${run()})`,
      `'${run()}'`,
      `"${run()}"`,
      `\\$(${run()})`,
      `"\\$(${run()})"`,
    ],
    ...[`\${x:-\`${run()}\`}`, `$'\\'$(${run()})'`, `$"$(${run()})"`, `"a"$(${run()})'b'`],
    ...[`{x},${inner()}}`, `{${inner()}},${inner()}}`, `~$(${run()})`, `$\\\n(${run()})`],
  ])
  return item
}

export function assignment(source, depth) {
  const { pick, chance, bad, good } = source
  const run = () => (chance(0.6) ? bad() : good())
  const name = pick([
    'x',
    'y',
    'x[0]',
    'x[a]',
    'X',
    'PATH',
    'IFS',
    'LC_ALL',
    'x[$(a)]',
    'CI',
    'x[ 0 ]',
  ])
  const operator = pick(['=', '=', '=', '+=', '= ', ' ='])
  const value = pick([
    ...[
      '',
      'a',
      "'a b'",
      '~',
      '*',
      '{a,b}',
      '(a)',
      '(a b)',
      '([0]=a [b]=c)',
      '()',
      '( a\nb )',
      '(a #)\n)',
    ],
    ...[
      'C',
      'C.UTF-8',
      '1',
      '$y',
      '"$y"',
      '$((1))',
      '(a',
      '(*)',
      '({a,b})',
      "('a)' b)",
      '(a\\) b)',
    ],
    ...[`$(${run()})`, `\`${run()}\``, `($(${run()}))`, `(a)$(${run()})`, `(a)"$(${run()})"`],
    ...[`(a)\`${run()}\``, `(a)\${y:-$(${run()})}`, `(a)(${run()})`, `(a)b`, `(a);${run()}`],
    ...[
      `(<(${run()}))`,
      `(a)<(${run()})`,
      `(a)1`,
      `(a)'b'`,
      `(a)[0]`,
      `(a)"`,
      word(source, depth - 1),
    ],
  ])
  return name + operator + value
}

export function redirection(source, depth) {
  const { pick, good, bad } = source
  const descriptor = pick([
    '',
    '',
    '',
    '',
    '0',
    '1',
    '2',
    '3',
    '10',
    '{f}',
    '{x[0]}',
    '-1',
    'a',
    '255',
  ])
  const operator = pick(['>', '<', '>>', '>|', '<>', '>&', '<&', '&>', '&>>', '<<<', '>&', '>& '])
  const target = pick([
    ...['/dev/null', '/dev/null', '/dev/null', '1', '2', '-', '1-', '2-', '&1', '-a', `-${good()}`],
    ...[`-${bad()}`, `--delete`, '-"a"', '3', 'out', 'out/a', '"a b"', 'a-', '1a', '10', '{a,b}'],
    ...[
      `<(${bad()})`,
      `>(${good()})`,
      ` >(${bad()})`,
      `$(${bad()})`,
      '$x',
      '*',
      '~',
      '1&2',
      "''",
      '-;',
    ],
    word(source, depth - 1),
  ])
  return descriptor + operator + target
}
