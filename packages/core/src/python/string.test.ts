import { describe, expect, test } from 'vitest'
import { collectReply, createParser, type ParserOptions, protocols, type Reply } from '../index.ts'

const options: ParserOptions = { protocols: protocols.lfm2, makeId: (index) => `call${index}` }

/** The reply, read whole and character by character with the same result. */
function read(calls: string, more: ParserOptions = {}): Reply {
  const reply = `<|tool_call_start|>[${calls}]<|tool_call_end|>`
  const [whole, single] = [[reply], reply.split('')].map((chunks) => {
    const parser = createParser({ ...options, ...more })
    return collectReply([...chunks.flatMap((chunk) => parser.feed(chunk)), ...parser.end()])
  })
  expect(single).toEqual(whole)
  return whole!
}

describe('a quote inside a string', () => {
  test.each([
    [`run(c='grep -c 'a b' f')`, { c: `grep -c 'a b' f` }],
    [`run(c="say "hi" now")`, { c: 'say "hi" now' }],
    [`run(c='it\\'s 'so' so')`, { c: `it's 'so' so` }],
    [`run(c='print(f('a'))')`, { c: `print(f('a'))` }],
    [`run(c='awk '{print}' f', n=2)`, { c: `awk '{print}' f`, n: 2 }],
    [`run(c='echo 'a' 'b' x')`, { c: `echo 'a' 'b' x` }],
    [`run(c=['x 'y' z'])`, { c: [`x 'y' z`] }],
  ])('%s', (text, args) => {
    const [call] = read(text).calls
    expect(call).toMatchObject({ args, complete: true, repairs: ['unescaped-quote'] })
    expect(read(text, { repairs: false }).calls.every(({ complete }) => !complete)).toBe(true)
  })

  test.each([
    ['that could end in two places', `run(a='echo 'hi', b='x')`],
    ['that could end in two places, twice', `run(a='awk '{print}' f', b='fast')`],
    ['that never ends', `run(a='x' y)`],
    ['next to another', `run(a='x' 'y')`],
  ])('%s is malformed', (_, text) => {
    const { calls, segments } = read(text)
    expect(calls).toEqual([])
    expect(segments.some(({ type }) => type === 'malformed')).toBe(true)
  })

  test('does not affect another call', () => {
    const { calls } = read(`run(a='x' y)]<|tool_call_end|><|tool_call_start|>[ok(n=1)`)
    expect(calls).toMatchObject([{ name: 'ok', args: { n: 1 }, complete: true }])
  })
})

describe('strings that Python rejects but that are unambiguous', () => {
  test.each([
    [`f(a='one\ntwo')`, { a: 'one\ntwo' }, ['raw-control']],
    [`f(a='''one\ntwo''')`, { a: 'one\ntwo' }, []],
    [`f(m=07, d=-05)`, { m: 7, d: -5 }, ['leading-zeros']],
    [`f(n=00, x=07.5)`, { n: 0, x: 7.5 }, []],
    [`f(from=1, class='a', max-size=2)`, { from: 1, class: 'a', 'max-size': 2 }, []],
  ])('%j', (text, args, repairs) => {
    expect(read(text).calls).toMatchObject([{ args, repairs, complete: true }])
  })
})
