import { describe, expect, test } from 'vitest'
import { collectReply, createParser, parse, printCall, protocols, type Reply } from '../index.ts'

const gemma4 = protocols.gemma4
const text = { type: 'string' }
const tools = [
  {
    name: 'ping',
    parameters: { type: 'object', properties: { a: text, b: text, n: { type: 'integer' } } },
  },
]

/** The reply, read whole and character by character with the same result. */
function read(args: string, repairs = true): Reply {
  const reply = `<|tool_call>call:ping${args}<tool_call|>`
  const [whole, single] = [[reply], reply.split('')].map((chunks) => {
    const parser = createParser({ protocols: gemma4, tools, repairs, makeId: () => 'id' })
    return collectReply([...chunks.flatMap((chunk) => parser.feed(chunk)), ...parser.end()])
  })
  expect(single).toEqual(whole)
  return whole!
}

describe('well-formed', () => {
  test.each([
    ['{}', {}],
    ['{a:<|"|>x, {y}: "z"<tool_call|><|"|>}', { a: 'x, {y}: "z"<tool_call|>' }],
    ['{n:3,x:1.5,y:true,z:null}', { n: 3, x: 1.5, y: true, z: null }],
    ['{l:[1,<|"|>two<|"|>,[]],o:{<|"|>a b<|"|>:1}}', { l: [1, 'two', []], o: { 'a b': 1 } }],
  ])('%s', (written, args) => {
    expect(read(written).calls).toMatchObject([{ args, complete: true, repairs: [] }])
  })
})

describe('repaired', () => {
  test.each([
    ['{a:x y}', { a: 'x y' }, ['unquoted-string']],
    ['{a:one, two,b:<|"|>x<|"|>}', { a: 'one, two', b: 'x' }, ['unquoted-string']],
    ['{a:\n# One\n\n- {two}.', { a: '\n# One\n\n- {two}.' }, ['unquoted-string', 'missing-closer']],
    [`{a:"say \\"x\\"",n:1}`, { a: 'say "x"', n: 1 }, ['other-quotes']],
    [`{a:'^\\s*it's$'<|"|>}`, { a: `^\\s*it's$` }, ['other-quotes', 'unescaped-quote']],
    ['{n:1,a:<|"|>x}', { n: 1, a: 'x' }, ['missing-closer']],
    ['{n:1,a:<|"|>x}<tool_call|>}', { n: 1, a: 'x}<tool_call|>' }, ['missing-closer']],
    ['{n:1,a:<|"|>x<|"|>', { n: 1, a: 'x' }, ['missing-closer']],
    ['{o:{k:1,k:2}}', { o: { k: 2 } }, ['duplicate-key']],
    ['{a=<|"|>x<|"|>,n=2}', { a: 'x', n: 2 }, ['equals-sign']],
  ])('%j', (written, args, repairs) => {
    expect(read(written).calls).toMatchObject([{ args, complete: true, repairs }])
  })
})

test('an unclosed string is an incomplete argument', () => {
  for (const open of ['{n:1,a:<|"|>x', '{n:1,a:<|"|>x}', '{n:1,a:<|"|>x}<tool_call|>']) {
    const text = `<|tool_call>call:ping${open}`
    for (const finish of open.endsWith('>')
      ? (['length', 'broken'] as const)
      : (['stop'] as const)) {
      const { calls } = parse(text, { protocols: gemma4, tools, finish })
      expect(calls).toMatchObject([{ args: { n: 1 }, complete: false }])
    }
  }
  expect(read('{o:{a:<|"|>x}}').calls).toMatchObject([{ args: {}, complete: false }])
})

test('parses every printed key', () => {
  const args = { 'a:b': 1, 'c d': { 'e=f': [2] }, Z: 'z', y: '' }
  const printed = printCall(gemma4, { name: 'ping', args })
  expect(parse(printed, { protocols: gemma4 }).calls[0]?.args).toEqual(args)
})

test('a call cut off before its first argument does not affect the next one', () => {
  const good = '<|tool_call>call:ping{n:1}<tool_call|>'
  for (const bad of ['<|tool_call>call:ping{', '<|tool_call>call:ping{a:<|"|>x<|"|>,']) {
    const { calls } = parse(`${bad}\n${good}`, { protocols: gemma4, tools })
    expect(calls).toMatchObject([{ name: 'ping', args: { n: 1 }, complete: true, raw: good }])
  }
})
