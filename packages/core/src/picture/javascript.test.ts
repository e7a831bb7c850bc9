// An expression in a protocol file has the same value here as in JavaScript; otherwise a protocol
// drawn in the page would behave differently in the command line tool. The interpreter must report
// anything it doesn't support.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../../../../tests/helpers/size.ts'
import { interpret } from './interpret.ts'

/**
 * The text of an expression according to this interpreter, or undefined if a problem was reported.
 */
function interpreted(expression: string, before = ''): string | undefined {
  const file = `import { name, output, wire } from '@toolglot/core/draw'
${before}
const given = ${expression};
export const examples = { a: { wire: JSON.stringify([given, given === undefined]) + '' } }
export default { id: 'x', about: '', call: wire\`<a>\${name}</a>\`, result: wire\`<b>\${output}</b>\`, prompt: () => '' }
`
  const { examples, problems } = interpret(file).picture
  return problems.length > 0 ? undefined : examples['a']!.wire
}

/** The value of the expression in JavaScript, or undefined if it throws. */
function evaluated(expression: string, before = ''): string | undefined {
  try {
    // oxlint-disable-next-line typescript/no-implied-eval -- the expression is made here
    const run = new Function(`'use strict'; ${before}
const given = ${expression}
return JSON.stringify([given, given === undefined]) + ''`)
    return run() as string
  } catch {
    return undefined
  }
}

/** Returns true if an expression is supported, and checks that both results agree. */
function expectSame(expression: string): boolean {
  const found = interpreted(expression, BEFORE)
  if (found !== undefined) expect(evaluated(expression, BEFORE)).toBe(found)
  return found !== undefined
}

const BEFORE = `const one = 1
const none = undefined
const empty = null
const text = 'xyz'
const list = [1, 'b', null, undefined, true]
const data = { a: { b: { c: 'deep' } }, n: 2, list: [3, 4], t: 'text' }
const twice = (x) => x + x
const pick = ({ a, n: number }, i) => { const sum = number + 1; return [a, sum, i] }
`

const leaf = fc.oneof(
  fc.constantFrom('one', 'none', 'empty', 'text', 'list', 'data', 'twice', 'true', 'false', 'null'),
  fc.constantFrom('undefined', '0', '2', '1.5', '1e3', '1_000', '012', '0x1f', '1__0', '.5', '5.'),
  fc.constantFrom(
    "''",
    "'a'",
    '"q\\n"',
    "'\\u0041\\x41\\u{42}'",
    "'\\0'",
    "'\\7'",
    "'a\\\r\nb'",
    "'\\\u2028'",
  ),
  fc.constantFrom(
    '`t`',
    '`\r\n`',
    '`\r`',
    '`\\r\\n`',
    '`\\r\n`',
    '`a\\\r\nb`',
    '`\\``',
    '`$`',
    '`\\${one}`',
  ),
  fc.constantFrom(
    '{ a: 1, a: 2 }',
    '{ ...data, n: 1 }',
    '{ text, one }',
    "{ 'a b': 1 }",
    '{ none }',
    '{ toJSON: twice }',
  ),
)
const member = fc.constantFrom(
  ...[
    '.a',
    '?.a',
    '.b',
    '?.b',
    '.c',
    '.n',
    '.t',
    '.list',
    '.length',
    '[0]',
    '[1]',
    "['a']",
    '[none]',
  ],
  ...[
    '.toString',
    '.valueOf',
    '?.toString',
    '.trim()',
    '.toUpperCase()',
    '.slice(1)',
    '.slice(-1)',
  ],
  ...[
    '.join()',
    ".join('-')",
    '.map(twice)',
    '.map((x, i, all) => all.length + i)',
    '.filter((x) => x)',
  ],
  ...[
    '.flatMap((x) => [x, [x]])',
    '.map(pick)',
    '.map(none)',
    '()',
    '(1)',
    "('a')",
    "?.['a']",
    '?.(1)',
    '`t`',
  ],
)
const binary = fc.constantFrom(
  '+',
  '+',
  '??',
  '||',
  '&&',
  '===',
  '!==',
  '<',
  '>',
  '<=',
  '>=',
  '-',
  '*',
  '/',
  '==',
  ',',
)

const { expression } = fc.letrec<{ expression: string; inner: string }>((tie) => ({
  inner: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    leaf,
    tie('expression').map((each) => `(${each})`),
  ),
  expression: fc.oneof(
    { maxDepth: 4, depthSize: 'small', withCrossShrink: true },
    leaf,
    fc
      .tuple(tie('inner'), fc.array(member, { minLength: 1, maxLength: 3 }))
      .map(([of, rest]) => `${of}${rest.join('')}`),
    fc
      .array(fc.tuple(tie('inner'), binary), { minLength: 2, maxLength: 4 })
      .map((parts) =>
        parts.map(([part, operator], at) => (at === 0 ? part : `${operator} ${part}`)).join(' '),
      ),
    fc
      .tuple(fc.constantFrom('!', '-', '+', 'typeof ', '!!'), tie('inner'))
      .map(([sign, of]) => `${sign}${of}`),
    fc
      .tuple(tie('inner'), tie('inner'), tie('inner'))
      .map(([test, yes, no]) => `${test} ? ${yes} : ${no}`),
    fc
      .array(fc.tuple(fc.constantFrom('', '', '...'), tie('inner')), { maxLength: 3 })
      .map((items) => `[${items.map((item) => item.join('')).join(', ')}]`),
    fc
      .array(fc.tuple(fc.constantFrom('a: ', 'b: ', 'n: ', '...', 'toString: '), tie('inner')), {
        maxLength: 3,
      })
      .map((items) => `({ ${items.map((item) => item.join('')).join(', ')} })`),
    fc.tuple(tie('inner'), tie('inner')).map((holes) => `\`<\${${holes.join('}\\n${')}}>\``),
    fc
      .tuple(
        tie('inner'),
        fc.constantFrom('', 'null', 'null, 2', "null, '--'", 'null, 20', 'null, true'),
      )
      .map(([of, rest]) => `JSON.stringify(${of}, ${rest})`),
    fc
      .tuple(fc.constantFrom('x', '(x)', '({ a })', '(x, a)', '(x, x)'), tie('inner'), tie('inner'))
      .map(([parameters, body, given]) => `(${parameters} => ${body})(${given})`),
    fc
      .tuple(tie('inner'), tie('inner'), fc.constantFrom('; ', '\n', ' '))
      .map(([first, then, end]) => `(() => { const y = ${first}${end}return [y, ${then}] })()`),
  ),
}))

test('an expression has its JavaScript value, or is reported', () => {
  let understood = 0
  const { numRuns } = runs(1000)
  fc.assert(
    fc.property(expression, (each) => {
      if (expectSame(each)) understood++
    }),
    { numRuns },
  )
  expect(understood).toBeGreaterThan(numRuns / 10)
})

test.each<[expression: string, before?: string]>([
  ["1 + 2 + 'x'"],
  ["'x' + 1 + 2"],
  ["1 + 'x' + true + null + undefined"],
  ["[null, 1, undefined].join('-')"],
  ['a?.b.c', 'const a = undefined'],
  ['a?.b.c', 'const a = { b: { c: 1 } }'],
  ['a?.b[0].map((x) => x)', 'const a = null'],
  ["a.b?.c.d + 'x' + 1", 'const a = {}'],
  ['`<a>\\r\\n`'],
  ['`<a>\r\n\r`'],
  ["'a\\\r\nb'"],
  ['[1, 2].map((x, i, all) => all[i] + i)'],
  ['[a === b, a === a.slice(0)]', "const a = 'x'\nconst b = 'y'"],
  ['JSON.stringify([[1], { a: [] }], null, 20)'],
  ["JSON.stringify({ a: 1 }, null, '123456789012')"],
  ['f(1)', 'const f = (x) => { const y = x + 1\nreturn y }'],
  ['f(1)', 'function f(x) { return g(x) }\nfunction g(x) { return x }'],
])('%s is understood as JavaScript does', (expression, before) => {
  expect(interpreted(expression, before)).toBe(evaluated(expression, before))
  expect(interpreted(expression, before)).toBeDefined()
})

test.each<[expression: string, before?: string]>([
  ['1 + true'],
  ['1 + none', 'const none = undefined'],
  ['(a?.b).c', 'const a = undefined'],
  ['b', 'const a = b\nconst b = 1'],
  ['f()', 'const b = 5\nconst f = () => { const a = b; const b = 1; return a }'],
  ['f(1)', 'const f = (x) => { const x = 2; return x }'],
  ['f(1)', 'const f = (x, x) => x'],
  ['f()', 'const f = () => { return\n1 }'],
  ['f(1)', 'const f = (x)\n=> x'],
  ['1', 'const a = 1 const b = 2'],
  ['1', 'const class = 1'],
  ['{ a: 1, a: 2 }'],
  ['1 ?? 2 || 3'],
  ['012'],
  ['1_'],
  ['({}).toString'],
  ['JSON.stringify({ f: () => 1 })'],
  ['[].map(1)'],
  ['1', 'export default 1'],
  ['1', 'export { given as default }'],
  ['1', 'export const examples = {}'],
  ['1', 'export { missing }'],
  ['1', "import { wire } from '@toolglot/core/draw'"],
  ['/a\\\n/'],
  ['none`t`', 'const none = undefined'],
  ['true ? 1 : 1_000.a'],
])('%s is reported', (expression, before) => {
  expect(interpreted(expression, before)).toBeUndefined()
})
