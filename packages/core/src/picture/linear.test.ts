// The work of reading a protocol file is at most linear in its length, for any content. These tests
// measure no time: they count the work of the lexer, the reader, the lookup and comparison of
// names, the interpreter, and the grammar.
import { expect, test } from 'vitest'
import { count } from '../check/laws.ts'
import { interpret } from './interpret.ts'

function workOf(text: string): number {
  let found = 0
  const characters = count(() => {
    found = interpret(text).work
  })
  return found + characters
}

const times = (amount: number, line: (at: number) => string): string =>
  Array.from({ length: amount }, (_, at) => line(at)).join('')
const letters = (at: number): string =>
  String(at)
    .padStart(5, '0')
    .replace(/\d/g, (d) => 'abcdefghij'[+d]!)
const head = `import { each, name, args, wire, output } from '@toolglot/core/draw'\n`
const protocol = (parts: string): string =>
  `${head}export default { id: 'x', about: '', call: wire\`<a>\${name}</a>\`, result: wire\`<b>\${output}</b>\`, prompt: () => '', ${parts} }`

test.each<[what: string, text: (amount: number) => string]>([
  [
    'statements',
    (n) =>
      head +
      times(
        n,
        (at) =>
          `const a${at} = ['x'].map((tag) => wire\`<\${tag}>\${each([wire\`\${name}\`])}\`)\n`,
      ),
  ],
  ['slashes in a class', (n) => '/[ '.repeat(n)],
  ['slashes in a class, by line', (n) => times(n, () => '/[ /[ /[ /a/ \n')],
  ['slashes', (n) => '/ '.repeat(n)],
  ['slashes before a backslash', (n) => '/\\'.repeat(n)],
  ['regular expressions', (n) => times(n, (at) => `const a${at} = /[/]a/\n`)],
  ['half-open comments', (n) => '/* '.repeat(n)],
  ['half-open texts', (n) => `' "\n`.repeat(n)],
  ['half-open templates', (n) => '` ${ '.repeat(n)],
  ['escapes', (n) => `'${'\\u{ \\x '.repeat(n)}'`],
  ['line ends in a template', (n) => `const a = \`${'\r\\\r\n'.repeat(n)}\``],
  [
    'unknown names',
    (n) => times(n, (at) => `const declaredname${letters(at)} = unknownnam${letters(at)}\n`),
  ],
  [
    'unknown names that are nearly known',
    (n) =>
      times(
        n,
        (at) => `const ${'x'.repeat(32)}${letters(at)} = ${'x'.repeat(32)}y${letters(at)}\n`,
      ),
  ],
  [
    'unknown names beside a long one',
    (n) =>
      `const ${'x'.repeat(40 * n)} = 1\n${times(300, (at) => `const b${at} = ${'x'.repeat(34)}${letters(at)}\n`)}`,
  ],
  [
    'unknown members',
    (n) => `const a = [${times(n, (at) => `each([], { a${letters(at)}: 1 }),`)}]`,
  ],
  [
    'unknown imports',
    (n) => `import { ${times(n, (at) => `x${letters(at)}, `)} } from '@toolglot/core/draw'`,
  ],
  ['unknown modules', (n) => times(n, (at) => `import { x } from 'y${letters(at)}'\n`)],
  ['unknown parts', (n) => protocol(times(n, (at) => `x${letters(at)}: 1, `))],
  ['names in functions', (n) => times(n, (at) => `const f${at} = ${'(x) => '.repeat(20)} x\n`)],
  ['types or values', (n) => `const a = ${'1 ? (b) : A.'.repeat(10)}${'A.'.repeat(n)}A`],
  ['types after brackets', (n) => times(n, () => 'const a = 1 ? (b) : A | A[(c): D]\n')],
  ['misread statements', (n) => times(n, () => 'const ( = [\n')],
  ['open brackets', (n) => '([{'.repeat(n)],
  [
    'texts that double, compared',
    (n) =>
      `${times(2, (side) => `const a${side}0 = 'x'\n${times(17, (at) => `const a${side}${at + 1} = a${side}${at} + a${side}${at}\n`)}`)}const c = [${'1,'.repeat(n)}].map(() => a017 === a117)`,
  ],
  [
    'a regular expression, again and again',
    (n) => `const a = [${'1,'.repeat(n)}].map(() => /${'x'.repeat(900)}/)`,
  ],
  [
    'a deep list, indented',
    (n) =>
      `const a0 = []\n${times(n, (at) => `const a${at + 1} = [a${at}]\n`)}const b = JSON.stringify(a${n}, null, '          ')`,
  ],
  [
    'lists that are wrong',
    (n) => `${head}const a = [${'1,'.repeat(n)}]\n${times(n, () => 'const b = each(a)\n')}`,
  ],
  [
    'the same calls in every example',
    (n) =>
      `const c = [${`['x', {}],`.repeat(n)}]\nexport const examples = { ${times(n, (at) => `a${at}: { wire: '', calls: c }, `)} }`,
  ],
  [
    'the same variant',
    (n) =>
      protocol(`variants: [${'v, '.repeat(n)}], `).replace(
        'export',
        `const v = [${`name, 'x', `.repeat(n)}]\nexport`,
      ),
  ],
  [
    'variants',
    (n) => protocol(`variants: [${times(n, (at) => `wire\`<${letters(at)}>\${name}</a>\`, `)}]`),
  ],
  ['marks to ignore', (n) => protocol(`ignore: [${times(n, (at) => `'<${letters(at)}>', `)}]`)],
])('%s: four times the text takes four times the work at most', (_, text) => {
  const [small, large] = [text(500), text(2000)]
  const growth = large.length / small.length
  // Constant costs: an exhausted budget, and the first hundred problems.
  expect(workOf(large)).toBeLessThan(1.15 * growth * workOf(small) + 1000)
})
