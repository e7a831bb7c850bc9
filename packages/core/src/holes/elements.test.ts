import { expect, test } from 'vitest'
import { parse, protocols } from '../index.ts'

const tools = [
  {
    name: 'say',
    parameters: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  },
]

test.each(['<text>a</text><text>b</text>', 'hm <text>a</text> <text>b</text>', '<text>a<text>b'])(
  "a value containing the argument's tag is not the argument: %s",
  (body) => {
    const { calls } = parse(`<say>${body}</say>`, { protocols: protocols['morph-xml'], tools })
    for (const { args } of calls) expect(args['text']).not.toContain('<text>')
  },
)

test('a value with other tags is the argument', () => {
  const text = 'See <b>this</b>.'
  const { calls } = parse(`<say>${text}</say>`, { protocols: protocols['morph-xml'], tools })
  expect(calls).toMatchObject([{ args: { text }, repairs: ['text-body'] }])
})

test.each([
  ['text: a', false],
  ['text: a\n', true],
  ['text: a\nmore:\n', false],
  ['text: a\nmore: |\n', false],
  ['text: a\nmore: >-\n', false],
  ['text: a\nmore:\n  -\n', false],
])('unclosed YAML is complete only after a value: %j', (body, complete) => {
  const { calls } = parse(`<say>\n${body}`, { protocols: protocols['yaml-xml'], tools })
  expect(calls.map((call) => call.complete)).toEqual([complete])
})
