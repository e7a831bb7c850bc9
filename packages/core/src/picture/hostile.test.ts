// Arbitrary text is read without throwing, in a bounded number of steps, and without access to
// anything outside the file.
import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs, share } from '../../../../tests/helpers/size.ts'
import { parse } from '../index.ts'
import { interpret, MAX_PICTURE_LENGTH } from './interpret.ts'
import { readPicture } from './picture.ts'

const folder = new URL('../protocols/', import.meta.url)
const sources = readdirSync(folder)
  .filter((file) => file !== 'index.ts')
  .map((file) => readFileSync(new URL(file, folder), 'utf8'))

const pieces = [
  ...'()[]{}<>`\'"/\\,;:.=+-?!|&$#@\n\r\u2028\u0000\ud800\udc00\ufeff'.split(''),
  ...['${', '=>', '...', '??', '?.', '/*', '*/', '//', '\\u{', '\\x', '\\', '===', '\n\n'],
  ...['import', 'export', 'default', 'const', 'function', 'return', 'type', 'as', 'from', 'this'],
  ...['wire`', 'name', 'value', 'value()', 'each(', 'calls({ of: ', 'tools', 'JSON.stringify('],
  ...['[{ toString: 1 }]()', '[{}]', '[[]]', '[() => 1]()', '[null]', '[wire]', '[name]()'],
  ...['constructor', '__proto__', 'prototype', 'globalThis', 'eval', 'toString', 'x', "''", '1e9'],
]
const piece = fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 4 }))
const soup = fc.array(piece, { maxLength: 60 }).map((parts) => parts.join(' '))

/** A built-in protocol's file with pieces of it removed, doubled or replaced. */
const spoiled = fc
  .tuple(
    fc.constantFrom(...sources),
    fc.array(fc.tuple(fc.nat(), fc.nat({ max: 30 }), piece), { minLength: 1, maxLength: 4 }),
  )
  .map(([source, changes]) =>
    changes.reduce((text, [where, length, put]) => {
      const at = where % (text.length + 1)
      return text.slice(0, at) + put + text.slice(at + length)
    }, source),
  )

function expectSound(text: string): void {
  const { picture, work } = interpret(text)
  for (const { from, to, message } of picture.problems) {
    expect(message).not.toBe('')
    expect(from).toBeGreaterThanOrEqual(0)
    expect(to).toBeGreaterThanOrEqual(from)
    expect(to).toBeLessThanOrEqual(text.length)
  }
  expect(work).toBeLessThanOrEqual(300_000 + 64 * text.length)
  const { protocol, examples } = picture
  if (!protocol) expect(picture.problems).not.toEqual([])
  // A protocol that is returned must be usable.
  else for (const { wire } of Object.values(examples)) parse(wire, { protocols: protocol })
}

test('survives any text', () => {
  fc.assert(fc.property(fc.oneof(soup, fc.string({ maxLength: 200 })), expectSound), runs(3000))
})

test('survives any change of a protocol file', () => {
  fc.assert(fc.property(spoiled, expectSound), runs(3000))
})

const head = `import { each, name, args, wire, output } from '@toolglot/core/draw'\n`
/** A protocol without problems. */
const valid = `${head}export default { id: 'x', about: '', call: wire\`<a>\${name}\`, result: wire\`<b>\${output}</b>\`, prompt: () => '' }`
const doubled = (first: string, next: (before: string) => string): string =>
  `${head}const a0 = ${first}\n${Array.from({ length: 60 }, (_, at) => `const a${at + 1} = ${next(`a${at}`)}\n`).join('')}`

const hostile: readonly [what: string, text: string][] = [
  ['brackets', '['.repeat(100_000)],
  ['a value in brackets', `const a = ${'['.repeat(90_000)}${']'.repeat(90_000)}`],
  ['templates', 'const a = `${'.repeat(40_000)],
  ['functions', `const a = ${'(x) => '.repeat(30_000)} 1`],
  ['parentheses', `const a = ${'('.repeat(60_000)}${')'.repeat(60_000)} => 1`],
  ['conditions', `const a = ${'1 ? 2 : '.repeat(30_000)} 1`],
  ['signs', `const a = ${'-!'.repeat(100_000)} 1`],
  ['sums', `const a = 1 ${'+ 1'.repeat(80_000)}`],
  ['calls', `const a = b${'()'.repeat(100_000)}`],
  ['types', `const a: ${'A<'.repeat(100_000)} = 1`],
  ['half-open comments', '/*'.repeat(100_000)],
  ['escapes', `const a = '${'\\u{'.repeat(80_000)}'`],
  ['names', `const a = ${'x'.repeat(200_000)}`],
  ['regular expressions', '/[/'.repeat(80_000)],
  ['slashes', '/\n'.repeat(120_000)],
  ['problems', '§ '.repeat(100_000)],
  ['texts that double', doubled(`'xxxx'`, (before) => `${before} + ${before}`)],
  ['templates that double', doubled(`'xxxx'`, (before) => `\`\${${before}}\${${before}}\``)],
  ['lists that double', doubled('[1, 2]', (before) => `[...${before}, ...${before}]`)],
  ['trees that double', `${doubled('[1]', (b) => `[${b}, ${b}]`)}const z = JSON.stringify(a60)`],
  [
    'examples that double',
    `${doubled('{ x: 1 }', (b) => `{ a: ${b}, b: ${b} }`)}export const examples = { a: { wire: '', calls: [['x', a60]] } }`,
  ],
  [
    'pictures that double',
    doubled('each(wire`<${name}>`)', (b) => `each([wire\`<\${${b}}>\`, wire\`<\${${b}}>\`])`),
  ],
  [
    'joins that multiply',
    `const a = [1,2,3,4,5,6,7,8,9].map((x) => x)\n${doubled('a', (b) => `[${Array(30).fill(`${b}.join('xxxxxxxxxxxxxxxxxxxx')`).join()}]`)}`,
  ],
  ['flatMap that multiplies', doubled('[1, 2]', (b) => `${b}.flatMap((x) => ${b})`)],
  [
    'a function that calls itself',
    `const f = (x) => f(x)\nconst a = f(1)\nexport default { prompt: f }`,
  ],
  [
    'functions that call each other',
    `function f(x) { return [1, 2, 3].map((y) => g(y)) }\nfunction g(x) { return f(x) }\nconst a = f(1)`,
  ],
  [
    'a prompt that calls itself',
    `${head}export default { id: 'x', about: '', call: wire\`\${name}\`, result: wire\`\${output}\`, prompt: p }\nfunction p(c) { return p(c) + p(c) }`,
  ],
  [
    'long texts that are compared',
    `${['b', 'c'].map((side) => `const ${side}0 = 'xxxx'\n${Array.from({ length: 15 }, (_, at) => `const ${side}${at + 1} = ${side}${at} + ${side}${at}\n`).join('')}`).join('')}const d = [${'1,'.repeat(100)}].map(() => b15 === c15)\n${valid}`,
  ],
  [
    'a deep list that is indented',
    `const a0 = []\n${Array.from({ length: 4000 }, (_, at) => `const a${at + 1} = [a${at}]\n`).join('')}const b = JSON.stringify(a4000, null, '          ')\n${valid}`,
  ],
  [
    'a regular expression again and again',
    `const a = [${'1,'.repeat(500)}].map(() => /${'x'.repeat(900)}/)\n${valid}`,
  ],
  ['too long a text', 'x'.repeat(MAX_PICTURE_LENGTH + 1)],
]

test.each(share(hostile, 3))('%s', (_, text) => {
  expectSound(text)
  expect(readPicture(text).problems).not.toEqual([])
})

test.each([
  ...['globalThis', 'window', 'process', 'Function', 'fetch', 'require', 'Reflect', 'Object'],
  ...['self', 'document', 'import.meta', '(() => 1).constructor', '[].constructor', '/a/.exec'],
  ...['name.read', 'wire.constructor', '[]["constructor"]', '({ toString: 1 }).valueOf()'],
  ...['({}).toString', '({}).hasOwnProperty', "'x'[{ toString: 1 }]()", '[][{ toString: 1 }]()'],
  ...['"".at(0)', '[].reduce', 'JSON', 'JSON.parse("1")', '[].map.call', 'each.call', '[][-1].x'],
])('%s cannot be reached', (expression) => {
  const { problems } = readPicture(`${head}const a = ${expression}\n`)
  expect(problems).not.toEqual([])
})

test('a protocol file cannot change shared objects', () => {
  const before = Object.getOwnPropertyNames(Object.prototype)
  readPicture(
    `const a = { __proto__: { x: 1 }, constructor: { prototype: { x: 1 } }, 'prototype': 1, ...{ __proto__: 2 } }`,
  )
  expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before)
  expect(({} as { x?: 1 }).x).toBeUndefined()
})
