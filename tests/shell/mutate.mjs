/** Small changes to shell commands: parsers differ in the space between valid ones. */

const PIECES = [
  ...[...' \n\t\v\r\f\u00a0\u3000\u0085'.split(''), '\\\n', ...'\\;&|(){}'.split('')],
  ...[...'[]<>"\'`$#!*?~='.split(''), '+=', ...',-:%@^012'.split('')],
  ...[
    '$(',
    '${',
    '$((',
    '))',
    '<(',
    '>(',
    '>&',
    '<&',
    '>&-',
    '<&-',
    '&>',
    '>|',
    '<>',
    '<<',
    '<<<',
    '<<-',
    '&&',
    '||',
    '|&',
    ';;',
  ],
  ...[
    ';&',
    '[[',
    ']]',
    '((',
    "$'",
    '$"',
    '$[',
    '{x}',
    '{f}',
    '{a,',
    ',b}',
    '=(',
    'x=(a)',
    'x=',
    'x[',
    ' #',
    '#\n',
    ' in ',
    ' do ',
  ],
  ...[
    ' time ',
    ' ! ',
    ' then ',
    ' fi',
    ' done',
    ' esac',
    ' } ',
    ' { ',
    './',
    '/',
    '-1',
    '.exe',
    '""',
    "''",
    '\\$',
    '\\`',
    '\\"',
    "\\'",
  ],
]

export function mutated(text, source, another) {
  let result = text
  for (let count = source.pick([1, 1, 1, 2, 3]); count > 0; count--)
    result = changed(result, source, another)
  return result.slice(0, 600)
}

function changed(text, { pick, below, bad, good }, another) {
  const at = below(text.length + 1)
  const end = Math.min(text.length, at + 1 + below(6))
  const [head, middle, tail] = [text.slice(0, at), text.slice(at, end), text.slice(end)]
  const insert = (piece) => head + piece + middle + tail
  return pick([
    ...Array.from({ length: 6 }, () => () => insert(pick(PIECES))),
    () => insert(pick(PIECES) + pick(PIECES)),
    () => head + middle.slice(1) + tail,
    () => head + tail,
    () => head + middle + middle + tail,
    () => head + pick(PIECES) + middle.slice(1) + tail,
    () => `${head}"${middle}"${tail}`,
    () => `${head}'${middle}'${tail}`,
    () => `${head}$(${middle})${tail}`,
    () => `${head}{${middle},a}${tail}`,
    () => insert(`$(${bad()})`),
    () => insert(`\`${bad()}\``),
    () => insert(pick([`;${bad()}`, `\n${bad()}\n`, `|${good()}`, ` ${bad()} `, `<(${bad()})`])),
    () => insert(`{${bad().replaceAll(' ', ',')}}`),
    () => {
      const other = another()
      const cut = below(other.length + 1)
      return pick([
        head + other.slice(cut),
        head + other + middle + tail,
        other.slice(0, cut) + middle + tail,
      ])
    },
  ])()
}
