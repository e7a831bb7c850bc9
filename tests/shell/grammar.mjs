/** Shell commands from a grammar: every construct of bash, with words in every spelling. */
import { assignment, redirection, word } from './words.mjs'

/**
 * Generates a shell command. `good` and `bad` return commands that the rules do and don't cover.
 */
export function grammarText(source) {
  let text
  do text = list(source, 1 + source.below(3))
  while (text.length > 400)
  return text
}

const SEPARATORS = ['; ', ' && ', ' || ', ' | ', ' |& ', ' & ', '\n', ';', '&&', '|', ' ;\n', '&']
const BLANKS = [' ', '  ', '\t', ' \\\n', '\\\n ', '\v', '\u00a0', '\r', ' #x\n']

export function list(source, depth) {
  const { pick, chance } = source
  const first = command(source, depth)
  return chance(0.35)
    ? first + pick(SEPARATORS) + pick(['', '', '! ', 'time ']) + command(source, depth - 1)
    : first
}

function command(source, depth) {
  return depth <= 0 || source.chance(0.55) ? simple(source, depth) : compound(source, depth)
}

/** A simple command with words, assignments and redirections in unusual places. */
export function simple(source, depth) {
  const { pick, chance, below, good, bad } = source
  const pieces = (source.isWild && chance(0.1) ? bad() : good()).split(' ')
  for (let count = below(3); count > 0; count--) pieces.push(word(source, depth))
  if (chance(0.2)) pieces.push(redirection(source, depth))
  if (chance(0.05)) pieces.splice(below(pieces.length), 0, redirection(source, depth))
  if (chance(0.1)) pieces.unshift(assignment(source, depth))
  if (chance(0.05)) pieces.push(assignment(source, depth))
  let text = pieces[0]
  for (const piece of pieces.slice(1))
    text += (source.isWild && chance(0.08) ? pick(BLANKS) : ' ') + piece
  if (chance(0.05)) text += pick([' # c', ' #', '#', ' \\', '\\\n', ' ;', ' # "', " # '", ' # $('])
  return chance(0.04) ? here(source, text, depth) : text
}

/** A command with here-documents. */
export function here(source, text, depth) {
  const { pick, chance, bad } = source
  const [operator, written, end] = pick([
    ...[
      ['<<', 'E', 'E'],
      ['<<', "'E'", 'E'],
      ['<<', '"E"', 'E'],
      ['<<', '\\E', 'E'],
    ],
    ...[
      ['<<-', 'E', '\tE'],
      ['<<-', "'E'", '\t\tE'],
      ['<<', "E'F'", 'EF'],
      ['<< ', 'E', 'E'],
    ],
    ...[
      ['<<', "''", ''],
      ['<<', '$E', '$E'],
      ['<<', '"E F"', 'E F'],
      ['0<<', 'E', 'E'],
    ],
  ])
  const body = pick([
    ...['a', `$(${bad()})`, `\`${bad()}\``, '$x', 'a\\', "'", '"', `E\\\n${bad()}`, ' E', 'E '],
    ...[`\t${bad()}`, '', '${x:-a}', `\${x:-$(${bad()})}`, ')', '$((1))', '\\$(a)', 'a\nb'],
  ])
  const second = chance(0.2) ? ` <<F` : ''
  const after = pick([
    '',
    '',
    ' | cat',
    ` && ${simple({ ...source, chance: () => false }, 0)}`,
    ' # x',
    ';',
  ])
  const tail = chance(0.4) ? `\n${simple(source, depth - 1)}` : pick(['', '\n'])
  return `${text} ${operator}${written}${second}${after}\n${body}\n${end}${second && '\nb\nF'}${tail}`
}

const NAMES = ['x', 'y', 'f', 'i', '_a']
const TERMINATORS = [';;', ';&', ';;&', ' ;;', '\n;;']

function compound(source, depth) {
  const { pick, chance, good } = source
  const inner = () => list(source, depth - 1)
  const one = () => word(source, depth - 1)
  const name = pick(NAMES)
  return pick([
    () => `(${inner()})`,
    () => `( ${inner()} )`,
    () => `{ ${inner()}; }`,
    () => `{ ${inner()}\n}`,
    () => `if ${inner()}; then ${inner()}; fi`,
    () => `if ${inner()}\nthen ${inner()}; elif ${inner()}; then ${inner()}; else ${inner()}; fi`,
    () => `while ${inner()}; do ${inner()}; ${pick(['break', 'break;', 'continue'])}; done`,
    () => `until ${inner()}; do ${inner()}; done`,
    () => `for ${name} in ${one()} ${one()}; do ${inner()}; ${good()} "$${name}"; done`,
    () => `for ${name} in a b; do ${good()} $${name}${pick(['', '$(a)', '/x', "''"])}; done`,
    () => `for ${name}${pick(['', ';', '\n'])} do ${inner()}; done`,
    () => `for ${name} in a; { ${inner()}; }`,
    () =>
      `for ((${pick(['', 'i=0', 'x'])};${pick(['', 'i<2', '0'])};${pick(['', 'i++'])})); do ${inner()}; done`,
    () =>
      `case ${one()} in ${pick(['', '('])}${pattern(source, depth)}) ${inner()} ${pick(TERMINATORS)} *) ${inner()};; esac`,
    () => `case ${one()} in ${pattern(source, depth)}) ${inner()}${pick([';;', '\n', ';; '])}esac`,
    () => `select ${name} in ${one()}; do ${inner()}; done`,
    () => `[[ ${test(source, depth)} ]] ${pick(['&&', ';', '||', '\n'])} ${inner()}`,
    () =>
      `${pick(['test', '['])} ${one()} ${pick(['=', '-eq', '-nt', '=='])} ${one()}${pick(['', ' ]'])}`,
    () =>
      `((${pick(['1', 'x', 'x=1', '1+1', ' (1) ', `x[$(${good()})]`])})) ${pick(['&&', ';'])} ${inner()}`,
    () => `((${inner()}); ${inner()})`,
    () =>
      `${pick(['f()', 'function f', 'f ()', 'function f()'])} ${pick(['{', '('])} ${inner()}; ${pick(['}', ')'])}; ${chance(0.5) ? 'f' : inner()}`,
    () => `coproc ${pick(['', 'X '])}${chance(0.5) ? inner() : `{ ${inner()}; }`}`,
    () => `${pick(['time', 'time -p', '!', '! !', 'time --', '! time'])} ${inner()}`,
    () =>
      `${pick(['command', 'builtin', 'eval', 'exec', 'env', 'timeout 2', 'nice', 'nohup', 'command --'])} ${inner()}`,
    () => here(source, good(), depth),
    () => here(source, `x=$(${good()}`, depth).replace(/\n?$/, '\n)'),
    () => `(${inner()}) ${redirection(source, depth)}`,
    () => `{ ${inner()}; } ${redirection(source, depth)}`,
    () => `${assignment(source, depth)}${pick([' ', '; ', '\n'])}${inner()}`,
    () =>
      `${good()} ${pick(['if', 'then', 'do', 'done', 'in', 'esac', '{', '}', '!', 'time', 'function', '[[', 'coproc'])} ${inner()}`,
  ])()
}

const pattern = (source, depth) =>
  source.pick([
    ...['a', '*', 'a|b', '[a-z]', '"a b"', "'*'", '?(a)', '@(a|b)', 'a\\)', '""', '[)]', '~'],
    word(source, depth - 1),
  ])

const test = (source, depth) =>
  source.pick([
    ...['-f a', 'a == b', 'a = *', 'a < b', '! -n a', '( a )', 'a =~ (b|c)', 'a && b', '-v x[0]'],
    ...[
      '1 -eq x',
      'a =~ [[:alpha:]]',
      `$(${source.bad()}) == a`,
      'a == @(b|c)',
      'a =~ $x',
      '-n\na',
    ],
    `${word(source, depth - 1)} == ${word(source, depth - 1)}`,
  ])
