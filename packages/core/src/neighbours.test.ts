// Law 7, exhaustively: one wrong character anywhere in a call, and the call after it is read all the same.
import { expect, test } from 'vitest'
import { parse, printCall, protocols } from './index.ts'

const ODD = [
  '',
  '"',
  "'",
  '\\',
  '{',
  '}',
  '[',
  ']',
  '(',
  ')',
  ',',
  ':',
  '\n',
  '<',
  '>',
  '「',
  'x',
  '/*',
]

/** A text with one character put in, or put in place of another, in every way. */
function* wrong(text: string): Generator<string> {
  for (let at = 1; at < text.length; at++) {
    for (const char of ODD) {
      yield text.slice(0, at) + char + text.slice(at)
      yield text.slice(0, at) + char + text.slice(at + 1)
    }
  }
}

test.each(['hermes', 'llama3', 'mistral', 'ptk', 'tool-call', 'tool-xml', 'tool-yaml', 'vcp'])(
  '%s',
  (id) => {
    const protocol = protocols[id]!
    const bad = printCall(protocol, { name: 'ping', args: { a: 'x "y"\n z', b: 'w' } })
    const good = printCall(protocol, { name: 'good', args: { k: 'v' } })
    const lost: string[] = []
    for (const text of wrong(bad)) {
      const { calls } = parse(`${text}\n${good}`, { protocols: protocol })
      if (
        !calls.some(({ name, complete, args }) => name === 'good' && complete && args['k'] === 'v')
      )
        lost.push(text)
    }
    expect(lost).toEqual([])
  },
)
