import fc from 'fast-check'

// Small scripts with every printable construct. They use only builtins, so that thousands run
// quickly and all of them end.

const WORDS = [
  ...[
    'a',
    'b',
    'abc',
    '-',
    '=',
    'a=b',
    '%',
    "''",
    '""',
    '"a  b"',
    "'c  d'",
    '\\*',
    '"*"',
    "'$x'",
    '\\\\',
    '"\\\\"',
  ],
  ...[
    '"\\$x"',
    "'it'\\''s'",
    '"it\'s"',
    "$'a\\tb'",
    "$'\\''",
    'ä',
    '🙂',
    "'a\nb'",
    '"a\n\nb"',
    '{a,b}',
    'p{1..3}q',
    '{a}',
  ],
  ...[
    'a#b',
    "'#'",
    '1',
    '12',
    'in',
    'do',
    'fi',
    'e"x"\'y\'z',
    '\\"',
    "\\'",
    '"\\`"',
    '~',
    'a~',
    '@',
    '!',
    '^',
  ],
]

const EXPANSIONS = [
  ...[
    '$x',
    '${x}',
    '$?',
    '$#',
    '${x:-d}',
    '${x-d}',
    '${x:+s}',
    '${#x}',
    '${x%b*}',
    '${x##*a}',
    '${x^^}',
    '${x,,}',
    '$n',
  ],
  ...['${x#a}', '${x%%?}', '$y', '${y}z'],
]

const LINES = [
  ...[
    'text',
    '  two  blanks',
    '\ttab',
    '$x',
    'a ${x:-d} b',
    '$(echo "a  b")',
    '\\$x',
    '\\\\',
    '\\`',
    '\\n',
    '"$x"',
    "'$x'",
  ],
  ...[
    '$((1 + 1))',
    '',
    '`echo t`',
    '# no comment',
    '$',
    '\\"',
    "it's",
    '*',
    '~',
    '\\\\$x',
    '$x$y',
    'EE',
    '"',
  ],
]

/** The parts of scripts of a certain depth. */
interface Parts {
  readonly word: fc.Arbitrary<string>
  readonly arithmetic: fc.Arbitrary<string>
  readonly test: fc.Arbitrary<string>
  readonly pipeline: fc.Arbitrary<string>
  readonly statements: fc.Arbitrary<string>
}

const one = fc.constantFrom
const joined = (...parts: fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  fc.tuple(...parts).map((texts) => texts.join(''))

/** Parts with plain content. */
function plainParts(): Parts {
  const word = one(...WORDS, ...EXPANSIONS, ...EXPANSIONS.map((text) => `"${text} x"`))
  const statements = one('echo a', 'false', 'echo "$x" $y', 'x=q', 'printf "<%s>" $x b', ': $x')
  return {
    word,
    arithmetic: one('0', '1', '7', 'n', '$n', '0x1f', '10'),
    test: one('$x =~ ^a', 'abc =~ b.', 'abc =~ "b."', '-d .', '-f nosuch', '-n $x', 'a'),
    pipeline: statements,
    statements,
  }
}

/** Parts composed of those one level below. */
function deeper(below: Parts): Parts {
  const { word: words, arithmetic: number, test, statements: list } = below
  const operator = one('+', '-', '*', '<', '>=', '==', '&&', '||', '&', '|', '^', '<<', ',')
  const arithmetic = fc.oneof(
    number,
    fc.tuple(number, operator, number).map((parts) => parts.join(' ')),
    fc.tuple(number, operator, number, operator, number).map((parts) => parts.join(' ')),
    number.map((inner) => `(${inner})`),
    number.map((inner) => `- ${inner}`),
    number.map((inner) => `!${inner}`),
    fc.tuple(number, number, number).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
  )
  const substitution = fc.oneof(
    list.map((inner) => `$(${inner}\n)`),
    one('`echo a  b`', '`echo "c"; false`', "`printf '%s' \\\\x`"),
    arithmetic.map((inner) => `$((${inner}))`),
  )
  const word = fc.oneof(
    words,
    substitution,
    substitution.map((inner) => `"<${inner}>"`),
    joined(words, words),
  )
  const right = fc.oneof(word, one('a*', '[a-c]*', '*', '?', '"*"', '$x*', '[!a]?'))
  const tests = fc.oneof(
    fc.tuple(word, one('==', '!=', '<', '>', '='), right).map((parts) => parts.join(' ')),
    word.map((inner) => `-n ${inner}`),
    word.map((inner) => `-z ${inner}`),
    arithmetic.map((inner) => `$((${inner})) -gt 3`),
    test.map((inner) => `! ${inner}`),
    test.map((inner) => `( ${inner} )`),
    fc.tuple(test, one(' && ', ' || '), test, one(' && ', ' || '), test).map((all) => all.join('')),
  )
  const command = commands({ ...below, word, arithmetic, test: tests })
  const pipeline = fc.oneof(
    { weight: 3, arbitrary: command },
    {
      weight: 1,
      arbitrary: fc
        .tuple(one('', '! '), command, list)
        .map(([start, first, second]) => `${start}{ ${first}\n} | { ${second}\n}`),
    },
    { weight: 1, arbitrary: command.map((inner) => `! { ${inner}\n}`) },
  )
  const andOr = fc
    .tuple(pipeline, one('&&', '||'), command)
    .map(([first, between, second]) => `{ ${first}\n} ${between} { ${second}\n}`)
  const ends = one('\n', '\n', '\necho $?\n', ' # comment\n', '\n\n')
  const statements = fc
    .array(joined(fc.oneof(pipeline, pipeline, andOr), ends), { minLength: 1, maxLength: 3 })
    .map((texts) => texts.join(''))
  return { word, arithmetic, test: tests, pipeline, statements }
}

function commands({ word, arithmetic, test, pipeline, statements }: Parts): fc.Arbitrary<string> {
  const names = one('echo ', 'printf "<%s>" ', "printf '%s\\n' ", ': ', 'x=1 echo ', 'echo -n ')
  const words = fc.array(word, { minLength: 1, maxLength: 3 }).map((texts) => texts.join(' '))
  const redirects = one(' >&2', ' 2>&1', ' 2>/dev/null', ' 3>&1 >&3', ' >/dev/null', ' >&-')
  const items = fc.array(caseItem(statements), { minLength: 1, maxLength: 3 })
  const here = one('<<E', "<<'E'", '<<"E"', '<<-E', "<<-'E'")
  const lines = fc.array(
    one(...LINES).map((line) => `${line}\n`),
    { maxLength: 4 },
  )
  return fc.oneof(
    joined(names, words),
    one('true', 'false', '(exit 3)', 'cd .', 'cd nosuch 2>/dev/null', 'n=5', 'x+=q', ':'),
    word.map((text) => `x=${text}`),
    word.map((text) => `test -n ${text} 2>/dev/null`),
    word.map((text) => `[ "$x" = ${text} -o ${text} = e ] 2>/dev/null`),
    word.map((text) => `read -r x y <<< ${text}`),
    joined(names, words, redirects),
    test.map((inner) => `[[ ${inner} ]]`),
    arithmetic.map((inner) => `(( ${inner} ))`),
    statements.map((inner) => `(\n${inner}\n)`),
    statements.map((inner) => `{ ${inner}\n}`),
    statements.map((inner) => `{ ${inner}\n} 2>&1 >/dev/null`),
    fc
      .tuple(statements, statements, statements)
      .map(([a, b, c]) => `if ${a}\nthen ${b}\nelse ${c}\nfi`),
    fc
      .tuple(pipeline, statements, pipeline, statements)
      .map(([a, b, c, d]) => `if ${a}\nthen ${b}\nelif ${c}\nthen ${d}\nfi`),
    fc
      .tuple(one('i', 'x'), words, statements)
      .map(([name, list, body]) => `for ${name} in ${list}; do ${body}\necho $${name}; done`),
    statements.map((body) => `for ((k = 0; k < 2; k++)); do ${body}\ndone`),
    statements.map((body) => `while ${body}\nfalse; do :; done`),
    statements.map((body) => `until false; do ${body}\nbreak; done`),
    pipeline.map((inner) => `{ ${inner}\n} | while IFS= read -r y; do echo "[$y]"; done`),
    fc.tuple(word, items).map(([text, list]) => `case ${text} in ${list.join('')}esac`),
    fc
      .tuple(here, lines)
      .map(
        ([start, text]) => `while IFS= read -r y; do echo "|$y"; done ${start}\n${text.join('')}E`,
      ),
  )
}

function caseItem(body: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(
      fc.constantFrom(
        'a',
        'a*',
        '*',
        '?',
        '[a-z]*',
        '"*"',
        '$x',
        '"$x"',
        '(b|c',
        "'a b'",
        '""',
        '[!b]*',
        'x\\*',
        '[[:digit:]]',
      ),
      body,
      fc.constantFrom(';;', ';;', ';&', ';;&'),
    )
    .map(([pattern, list, end]) => `${pattern}) ${list}\n${end} `)
}

/** A script that starts with a variable that is split, a number, and a quote. */
export const script: fc.Arbitrary<string> = deeper(deeper(plainParts())).statements.map(
  (text) => `x='a  b'\nn=3\ny="it's"\n${text}`,
)
