import { isLong } from '../../../tests/helpers/size.ts'

/** The length of most inputs, in characters. */
const SIZE = isLong ? 300_000 : 100_000

/**
 * Inputs that make parsers slow, or recurse deeply, or use much memory, by name. The parsers of
 * every package must handle all of them: see `testParsers`.
 */
export const nastyTexts: Readonly<Record<string, string>> = {
  ...deep(),
  ...long(),
  ...many(),
  ...bombs(),
  ...odd(),
}

/** Repeats a string up to a length. */
function times(text: string, size = SIZE): string {
  return text.repeat(Math.floor(size / text.length))
}

/** Deeply nested values, closed and unclosed. */
function deep(): Record<string, string> {
  const pairs: [string, string][] = [
    ['[', ']'],
    ['{"a":', '}'],
    ['(', ')'],
    ['<a>', '</a>'],
    ['{% if a %}', '{% endif %}'],
    ['{{ (', ') }}'],
    ['$(', ')'],
    ['${a:-', '}'],
    ['<tool_call>{"name":', '}</tool_call>'],
    ['- ', ''],
    ['> ', ''],
    ['{a,', '}'],
    ['not ', ''],
    ['-', ''],
    ['a ? ', ' : b'],
    ['`${', '}`'],
    ['\\', ''],
    ['if true; then ', '; fi'],
  ]
  return Object.fromEntries(
    pairs.flatMap(([open, close]) => {
      const count = Math.floor(SIZE / (open.length + close.length))
      return [
        [`deep ${open}${close}`, open.repeat(count) + close.repeat(count)],
        [`unterminated ${open}`, times(open)],
        [`deep ${open}${close}, 5000 times`, open.repeat(5000) + close.repeat(5000)],
      ]
    }),
  )
}

/** A single long line, word or number. */
function long(): Record<string, string> {
  const one: [string, string][] = [
    ['a letter', 'a'],
    ['a space', ' '],
    ['a tab', '\t'],
    ['a digit', '9'],
    ['a quote', '"'],
    ['an apostrophe', "'"],
    ['a backtick', '`'],
    ['an ampersand', '&'],
    ['a star', '*'],
    ['a slash', '/'],
    ['a NUL', '\0'],
    ['a lone surrogate', '\ud800'],
    ['a byte order mark', '\ufeff'],
    ['a mark that combines', '\u0301'],
    ['a line break', '\n'],
    ['a carriage return', '\r'],
    ['an open tag', '<'],
    ['a comment', '/*'],
    ['a heredoc', '<<A '],
  ]
  return Object.fromEntries([
    ...one.map(([name, text]) => [`long: ${name}`, times(text)]),
    // An expression such as / +$/ takes quadratic time here.
    ...one.map(([name, text]) => [`long: ${name}, then a letter`, `a${times(text)}a`]),
    ['long: a string', `"${times('a')}"`],
    ['long: a string that does not end', `"${times('\\"')}`],
    ['long: a number', `1${times('0')}e${times('9', 1000)}`],
    ['long: words', times('a ')],
    ['long: a path', times('../')],
    ['long: a name', `Read(${times('a')})`],
    ['long: spaces before a line break', `a${times(' ')}\nb`],
    ['long: spaces between commas', times(`,${' '.repeat(1000)}`)],
  ])
}

/** Thousands of items. */
function many(): Record<string, string> {
  return {
    'many items': `[${times('1,')}1]`,
    'many keys': `{${Array.from({ length: 20_000 }, (_, index) => `"k${index}":1`).join()}}`,
    'the same key': `{${times('"a":1,')}"a":1}`,
    'many lines of JSON': times('{"run":"a","key":"b","kind":"c","value":{}}\n'),
    'many rules': `{"permissions":{"allow":[${times('"Bash(a *)",')}"Read"]}}`,
    'many unknown rules': `{"permissions":{"allow":[${times('"Beda(a)",')}"Read"]}}`,
    'many ignored names': times('**/a*a*b/\n!c\n'),
    'many options': times('--a=b '),
    'many tags': times('<a b="c">'),
    'many closed tags': times('<a></a>'),
    'many calls': times('<tool_call>{"name":"a","arguments":{}}</tool_call>'),
    'many half calls': times('<tool_call>{"name":"a","arguments":{'),
    'many Python calls': `[${times('a(b=1), ')}]`,
    'many half Python calls': times('[a(b='),
    'many fences': times('```json\n{}\n'),
    'many headings': times('# a\n'),
    'many ANSI sequences': times('\u001b[31m'),
    'many events': times('data: {}\n\n'),
    'many declarations': times('const a = 1\n'),
    'many settings of git': times('[include]\npath = a\n'),
    'many redirects': times('2>&1 '),
    'many pipes': times('a | '),
    'many assignments': times('a=b '),
    'many domains': times('a.'),
    'many diff lines': `--- a\n+++ b\n@@ -1,1 +1,1 @@\n${times('-a\n+b\n')}`,
  }
}

/** Short inputs that expand to large values. */
function bombs(): Record<string, string> {
  const letters = 'abcdefghijklmnopqrst'.split('')
  const next = (index: number): string => letters[index + 1] ?? 'a'
  return {
    'YAML aliases': letters
      .map(
        (name, index) =>
          `${name}: &${name} [${index ? times(`*${letters[index - 1]},`, 30) : 'x'}]`,
      )
      .join('\n'),
    'YAML merges': letters
      .map((name, index) => `${name}: &${name}\n  <<: [*${letters[index - 1] ?? 'a'}, *a]`)
      .join('\n'),
    'XML entities': `<!DOCTYPE a [${letters
      .map((name, index) => `<!ENTITY ${name} "&${next(index)};&${next(index)};">`)
      .join('')}]><a>&a;</a>`,
    'braces, doubled': '{a,b}'.repeat(40),
    'braces, nested': times('{a,{b,', 6000) + times('}', 1000),
    'a large range': '{1..999999999}',
    'ranges, multiplied': '{1..99}'.repeat(9),
    'stars and names': `${'**/'.repeat(1000)}*a*a*a*a*a*a*b`,
    'stars in a name': '*a'.repeat(2000),
    'stars of a shell': `${'+(a|'.repeat(1000)}b${')'.repeat(1000)}`,
    'a pattern that backtracks': `${'(a+)+'.repeat(30)}$`,
    'a text for patterns that backtrack': `${'a'.repeat(100_000)}!`,
    'Jinja: a large range': '{% for i in range(10**9) %}{{ i }}{% endfor %}',
    'Jinja: ranges, nested': `${'{% for i in range(99999) %}'.repeat(9)}x${'{% endfor %}'.repeat(9)}`,
    'Jinja: a repeated text': "{{ 'a' * 10**9 }}",
    'Jinja: a doubled text': `{% set a = 'aa' %}${'{% set a = a + a %}'.repeat(60)}{{ a }}`,
    'Jinja: a doubled list': `{% set a = [1] %}${'{% set a = a + a %}'.repeat(60)}{{ a }}`,
    'Jinja: nested lists': `{% set a = [1] %}${'{% set a = [a, a] %}'.repeat(60)}{{ a | tojson }}`,
    'Jinja: a macro of itself': '{% macro m() %}{{ m() }}{{ m() }}{% endmacro %}{{ m() }}',
    'Jinja: macros, doubled': `{% macro m0() %}x{% endmacro %}${Array.from(
      { length: 60 },
      (_, index) => `{% macro m${index + 1}() %}{{ m${index}() }}{{ m${index}() }}{% endmacro %}`,
    ).join('')}{{ m60() }}`,
    'Jinja: a padded text': "{{ '%999999999d' % 1 }}{{ 'a'.center(999999999) }}",
    'Jinja: a power': '{{ 9 ** 9 ** 9 ** 9 }}',
    'Jinja: replaced': `{% set a = '${'a'.repeat(5000)}' %}${"{% set a = a.replace('a', a) %}".repeat(9)}{{ a }}`,
    'Jinja: filters': `{{ messages ${'| list '.repeat(50_000)} }}`,
    'shell: functions, doubled': `a0() { :; }; ${Array.from(
      { length: 60 },
      (_, index) => `a${index + 1}() { a${index}; a${index}; }; `,
    ).join('')} a60`,
    'shell: variables, doubled': `a=aa; ${'a=$a$a; '.repeat(60)} echo $a`,
    'shell: texts in texts': `${'eval '.repeat(1700)}a`,
    'shell: a function of itself': 'a() { a | a & }; a',
    'shell: loops': `${'for i in {1..99}; do '.repeat(50)}echo $i${'; done'.repeat(50)}`,
    'TypeScript: a function of itself': 'const a = (b) => a(b) + a(b)\nexport default a(1)',
    'TypeScript: doubled texts': `const a0 = 'aa'\n${Array.from(
      { length: 60 },
      (_, index) => `const a${index + 1} = a${index} + a${index}`,
    ).join('\n')}\nexport const b = a60`,
    'TypeScript: doubled lists': `const a0 = [1]\n${Array.from(
      { length: 60 },
      (_, index) => `const a${index + 1} = [...a${index}, ...a${index}]`,
    ).join('\n')}\nexport const b = a60`,
    'git: settings that include themselves': '[include]\n path = config\n path = ./config\n',
  }
}

/** Unusual values. */
function odd(): Record<string, string> {
  return {
    'an empty text': '',
    null: 'null',
    prototypes: '{"__proto__":{"a":1},"constructor":{"prototype":{"a":1}},"toString":1}',
    'huge numbers': '[1e999999999,-1e999999999,0x1fffffffffffffffff,1e-999999999]',
    'odd escapes': String.raw`"\ud800\udc00\ud800\u0000\x\u{110000}\u12"`,
    'a mix': times('\ud800"\0{[(<&*|$`\'\\\u2028\ufeff', 10_000),
  }
}
