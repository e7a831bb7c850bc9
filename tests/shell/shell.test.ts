import { rmSync } from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import { matches } from './compare.mjs'
import { COPYING, HOLES, reopened } from './holes.mjs'
import { runOracle } from './oracle.mjs'
import { forbidden, SETS } from './rules.mjs'
import { readTrace } from './trace.mjs'
import { lacks } from '../helpers/abilities.ts'
import { isLong, share } from '../helpers/size.ts'

const missing = await lacks('bash')
const LONG = 600_000

describe.skipIf(missing)('the shell oracle', () => {
  test(
    'bash runs only judged words',
    async () => {
      const texts = isLong ? 1000 : 400
      const { found, executed } = await runOracle({ seed: 7, texts, workers: 1 })
      expect(found).toEqual([])
      expect(executed).toBeGreaterThan(texts * 0.15)
    },
    LONG,
  )

  test.each(share(HOLES, 8))(
    'finds $hole, if it is open again',
    async ({ match, texts = 5000, parser, printer = [COPYING] }) => {
      const find = async (patches: typeof parser) => {
        const dist = reopened(patches)
        onTestFinished(() => rmSync(dist, { recursive: true }))
        return (await runOracle({ seed: 7, texts, workers: 1, match, dist })).found
      }
      expect((await find([...parser, ...printer])).length).toBeGreaterThan(0)
      // Printing alone closes a hole in the parser.
      expect(await find(printer.length > 0 ? parser : [])).toEqual([])
    },
    LONG,
  )
})

test('lists the words of commands in a trace, but not those of compound commands and assignments', () => {
  const line = (text: string) => `\x01\x01> ${text}\n`
  const trace = [
    ...['\x01> eval text\n', line('for x in a; b'), line('case a in'), line('[[ a == b ]]')],
    ...[line("x='a b'"), line('y=(touch P)'), line("'[' a = b ']'"), line("x=1 'a\nb'")],
    ...[
      line("$'\\303\\251\\n' '' \\' 'it'\\''s'"),
      line("printf '%s\\n' output"),
      line('./true a'),
    ],
  ]
  expect(readTrace(trace.join(''), { mark: '> ', output: 'output' })).toEqual([
    ...[
      ['[', 'a', '=', 'b', ']'],
      ['x=1', 'a\nb'],
      ['\u00c3\u00a9\n', '', "'", "it's"],
    ],
    ['./true', 'a'],
  ])
})

test.each([
  [['a', 'b'], ['a', 'b'], true],
  [['a', 'b'], ['a'], false],
  [['a'], ['a', undefined], true],
  [['a', 'b', 'c', 'd'], ['a', undefined, 'd'], true],
  [['a', 'b', 'c'], ['a', undefined, 'd'], false],
])('words %j and judged words %j', (words, judged, expected) => {
  expect(matches(words, judged)).toBe(expected)
})

test.each([
  ['no rules', ['true', 'a'], undefined],
  ['no rules', ['./true'], 'no rule covers ./true'],
  ['no rules', ['echo'], 'no rule covers echo'],
  ['ordinary rules', ['echo', 'touch'], undefined],
  ['ordinary rules', ['timeout', '2', 'cat'], undefined],
  ['ordinary rules', ['timeout', '2', 'touch'], 'no rule covers touch'],
  ['deny rules', ['timeout', '2', 'nice', 'ls', 'touch'], undefined],
  ['deny rules', ['env', 'A=1', 'rm', 'x'], 'a deny rule covers rm'],
  ['deny rules', ['/bin/touch'], 'a deny rule covers /bin/touch'],
  ['any program', ['nice', 'touch'], 'a deny rule covers touch'],
  ['any program', ['make'], undefined],
])('%s: %j', (name, words, expected) => {
  expect(
    forbidden(
      words,
      SETS.find((set) => set.name === name)!,
    ),
  ).toBe(expected)
})
