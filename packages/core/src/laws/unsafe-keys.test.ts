// Law 8: in every protocol, the keys that every object inherits are plain data, or the call is
// refused. They are never assigned.
import { describe, expect, test } from 'vitest'
import { collectReply, createParser, parse, printCall, protocols } from '../index.ts'

const all = Object.values(protocols)
const keys = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty']
const tools = [{ name: 'ping' }]

describe.each(all)('$id', (protocol) => {
  test.each(keys)('%s is an ordinary argument, or the call is refused', (key) => {
    const args = JSON.parse(`{"${key}": "x", "b": "y"}`) as Record<string, unknown>
    const text = printCall(protocol, { name: 'ping', args })
    for (const options of [{ protocols: protocol, tools }, { protocols: protocol }, { tools }]) {
      for (const call of parse(text, options).calls) {
        expect(Object.getPrototypeOf(call.args)).toBe(Object.prototype)
        expect(Object.entries(call.args)).toContainEqual([key, 'x'])
      }
    }
    expect('polluted' in {}).toBe(false)
  })

  test.each(keys)('a tool named %s is called or refused', (name) => {
    const text = printCall(protocol, { name, args: { polluted: true } })
    for (const options of [{ protocols: protocol, tools }, { protocols: protocol }, { tools }]) {
      const parser = createParser(options)
      const reply = collectReply([
        ...text.split('').flatMap((char) => parser.feed(char)),
        ...parser.end(),
      ])
      for (const call of reply.calls)
        expect(Object.getPrototypeOf(call.args)).toBe(Object.prototype)
    }
    expect('polluted' in {}).toBe(false)
  })
})

test('nested unsafe keys never pollute a prototype', () => {
  const args = JSON.parse(
    '{"a": [{"__proto__": {"polluted": 1}}], "b": {"constructor": {"prototype": {"polluted": 1}}}}',
  ) as Record<string, unknown>
  for (const protocol of all) {
    const text = printCall(protocol, { name: 'ping', args })
    const reply = parse(text, { protocols: protocol, tools })
    expect(reply.segments.some(({ type }) => type === 'call' || type === 'malformed')).toBe(true)
    for (const call of reply.calls) {
      const nested = [call.args['a'], call.args['b']].flat() as Record<string, unknown>[]
      for (const value of nested) expect(value?.['polluted']).toBe(undefined)
    }
    expect('polluted' in {}).toBe(false)
  }
})
