import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chunked, sizes } from '../../test/chunks.ts'
import { marks } from '../../test/markup.ts'
import { HOURS, isLong, runs, share } from '../../../../tests/helpers/size.ts'
import { args, name, output, wire } from '../draw.ts'
import {
  createRestorer,
  neutralize,
  printCalls,
  type Protocol,
  protocols,
  restore,
  type ResultOptions,
} from '../index.ts'

const hammer: Protocol = {
  id: 'hammer',
  about: 'Ours',
  call: wire`🔨${name} ${args}`,
  result: wire`<<${output}>>`,
  prompt: () => '',
}
const tools = ['ping', 'bash', 'read', 'Read_file'].map((each) => ({ name: each }))
const every: ResultOptions[] = [{}, { tools }, { tools, protocols: hammer }]
const calls = Object.values(protocols).flatMap((protocol) =>
  tools.map((tool) => printCalls(protocol, [{ name: tool.name, args: { a: '<b>' } }])),
)
const tokens = ['<|im_end|>', '<|', '<｜tool▁sep｜>', '<start_of_turn>', '<start_of_', '<<SYS>>']
const mark = fc.constantFrom(...marks, ...tokens, '🔨', '<ping>', 'ping', 'READ_FILE\n<', '"bash"')
const joiners = fc.nat({ max: 3 }).map((count) => '\u2060'.repeat(count))
const piece = fc.oneof(
  { weight: 4, arbitrary: mark },
  fc.tuple(mark, fc.nat()).map(([text, at]) => text.slice(0, at % (text.length + 1))),
  fc
    .tuple(mark, fc.nat(), joiners)
    .map(
      ([text, at, some]) => text.slice(0, at % text.length) + some + text.slice(at % text.length),
    ),
  fc.constantFrom(...calls),
  fc.constantFrom(' '.repeat(130), '\n', '(', '{', '`', '_x'.repeat(70)),
  joiners,
  fc.string({ maxLength: 4, unit: 'binary' }),
)
const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''))

/** The joined output for these chunks. */
function restored(chunks: readonly string[], options?: ResultOptions): string {
  const restorer = createRestorer(options)
  return chunks.map((chunk) => restorer.feed(chunk)).join('') + restorer.end()
}

describe.each(every)('%j', (options) => {
  test('any chunking gives the same text as restoring the whole', { timeout: HOURS }, () => {
    fc.assert(
      fc.property(text, sizes, fc.boolean(), (given, lengths, inert) => {
        const whole = inert ? neutralize(given, options) : given
        const expected = inert ? given : restore(whole, options)
        expect(restored(chunked(whole, lengths), options)).toBe(expected)
      }),
      runs(500),
    )
  })

  test('every mark is restored in every chunking of one character', () => {
    for (const each of [...marks, ...tokens, ...share(calls, 10)]) {
      const inert = neutralize(`a ${each} b`, options)
      expect(restored(inert.split(''), options)).toBe(`a ${each} b`)
    }
  })

  test('the held text is bounded', { timeout: HOURS }, () => {
    const plain = (given: string): number => given.replaceAll('\u2060', '').length
    const longest = Math.max(...[...marks, ...calls].map((each) => each.length)) + 150
    const repeated = fc.tuple(text, fc.nat({ max: 20 })).map(([each, times]) => each.repeat(times))
    fc.assert(
      fc.property(fc.oneof(text, repeated), (given) => {
        const restorer = createRestorer(options)
        let held = 0
        for (const char of neutralize(given, options)) {
          held += plain(char) - plain(restorer.feed(char))
          expect(held).toBeLessThanOrEqual(longest)
        }
        expect(plain(restorer.end())).toBe(held)
      }),
      runs(300),
    )
  })
})

test('passes on text without joiners immediately, even if a mark may begin', () => {
  const restorer = createRestorer({ tools })
  expect(['a <', 'tool_', 'call> ', 'ping', '('].map((chunk) => restorer.feed(chunk))).toEqual([
    'a <',
    'tool_',
    'call> ',
    'ping',
    '(',
  ])
  expect(restorer.end()).toBe('')
})

test('after a joiner, text is held only until a mark is decided', () => {
  const restorer = createRestorer()
  expect(restorer.feed('x\u2060')).toBe('x\u2060')
  expect(restorer.feed('a <\u2060')).toBe('a <')
  expect(restorer.feed('to')).toBe('')
  expect(restorer.feed('y ')).toBe('\u2060toy ')
  expect(restorer.feed('<\u2060\u2060\u2060tool_call')).toBe('<\u2060\u2060')
  expect(restorer.feed('>')).toBe('tool_call>')
  expect(restorer.feed('<\u2060|im')).toBe('<')
  expect(restorer.end()).toBe('\u2060|im')
})

test('passes on many joiners, and examines no text twice', () => {
  const restorer = createRestorer()
  expect(restorer.feed('<\u2060t')).toBe('<')
  const flood = '\u2060'.repeat(isLong ? 1 << 20 : 1 << 16)
  const began =
    restorer.feed('o') +
    flood
      .split('')
      .map((each) => restorer.feed(each))
      .join('')
  expect(began + restorer.feed('y')).toBe(`\u2060to${flood}y`)
})

test.each([' '.repeat(1000), 'x'.repeat(1000), ` ${'x'.repeat(200)} `])(
  'the condition of a mark is tested only nearby; beyond that, the mark counts',
  (between) => {
    const output = `>>>${between}`
    const inert = neutralize(output, { tools })
    expect(restore(inert, { tools })).toBe(output)
    expect(restored(inert.split(''), { tools })).toBe(output)
    expect(neutralize(`ping${' '.repeat(200)}.`, { tools })).toContain('p\u2060ing')
    expect(neutralize(`ping${' '.repeat(20)}.`, { tools })).not.toContain('\u2060')
  },
)
