import { describe, expect, test } from 'vitest'
import * as engine from '../engine.ts'
import {
  type Call,
  collectReply,
  createParser,
  parse,
  type ProtocolId,
  protocols,
} from '../index.ts'
import { fits } from './read-again.ts'

const weather = {
  name: 'get_weather',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' }, days: { type: 'integer' } },
    required: ['city'],
  },
}
const ping = { name: 'ping' }
const tools = [weather, ping]
const JSON_CALL = '{"name": "get_weather", "arguments": {"city": "Paris"}}'
const OWN_CALL = `<tool_call>\n${JSON_CALL}\n</tool_call>`
const OTHER_CALL = '<function=get_weather>\n<parameter=city>\nParis\n</parameter>\n</function>'

function calls(text: string, selected: ProtocolId = 'hermes'): readonly Call[] {
  return parse(text, { protocols: selected, tools }).calls
}

describe('when it applies', () => {
  test('a call in another protocol is marked', () => {
    expect(calls(`Let me see.\n${OTHER_CALL}`)).toMatchObject([
      { name: 'get_weather', args: { city: 'Paris' }, complete: true, otherProtocol: true },
    ])
    expect(calls(`Let me see.\n${OTHER_CALL}`, 'qwen3-coder')[0]).not.toHaveProperty(
      'otherProtocol',
    )
  })

  test.each(['< ', '{ ', '<a> ', '[x] '])('after %j over and over', (text) => {
    expect(calls(`${text.repeat(5000)}\n${JSON_CALL}`)).toMatchObject([{ name: 'get_weather' }])
  })

  test('not if the selected protocol finds a call, before or after', () => {
    for (const text of [`${OWN_CALL}\n${OTHER_CALL}`, `${OTHER_CALL}\n${OWN_CALL}`]) {
      const reply = parse(text, { protocols: 'hermes', tools })
      expect(reply.calls).toMatchObject([{ raw: OWN_CALL }])
      expect(reply.text).toContain(OTHER_CALL)
    }
  })

  test('not to what the selected protocol refused, but to what follows that', () => {
    const refused = '<tool_call>\n{"name": 5}\n</tool_call>'
    expect(calls(refused)).toEqual([])
    expect(calls(`${refused}\nSo:\n${OTHER_CALL}`)).toMatchObject([
      { otherProtocol: true, afterMalformed: true },
    ])
  })

  test('not without tools, for an unknown tool, or in the engine alone', () => {
    expect(parse(`So:\n${JSON_CALL}`, { protocols: 'hermes' }).calls).toEqual([])
    expect(calls(`So:\n${JSON_CALL.replace('get_weather', 'other')}`)).toEqual([])
    const { hermes } = protocols
    expect(engine.parse(`So:\n${JSON_CALL}`, { protocols: hermes, tools }).calls).toEqual([])
  })

  test('not after a result that the model made up', () => {
    expect(calls(`<tool_response>\nsun\n</tool_response>\n${OTHER_CALL}`)).toEqual([])
  })
})

describe('what counts', () => {
  test.each([
    ['a call that something follows', `${OTHER_CALL}\nI will wait.`],
    ['a call after such a call', `${OTHER_CALL}\nor\n${OTHER_CALL}`],
    ['arguments that do not fit', `So:\n${JSON_CALL.replace('"Paris"', '["Paris"]')}`],
    ['a missing argument', 'So:\n{"name": "get_weather", "arguments": {"days": 2}}'],
    ['the description of a tool', 'So:\n{"name": "ping", "parameters": {"properties": {"a": {}}}}'],
    ['more members', `So:\n${JSON_CALL.replace('}}', '}, "role": "mascot"}')}`],
    ['a quotation', `> ${JSON_CALL}`],
    ['a comment', `<!-- ${OTHER_CALL} -->`],
    ['code in a sentence', `Write \`${JSON_CALL}\``],
    ['an example in another language', `So:\n\`\`\`ts\nping()\n\`\`\``],
    ['a tag that does not mention calls', `<output>${JSON_CALL}</output>`],
  ])('not %s', (_, text) => {
    const reply = parse(text, { protocols: 'hermes', tools })
    expect(reply).toMatchObject({ calls: [], text })
  })
})

test('text is handed out as it arrives, and never taken back', () => {
  const text = `Prose [with] {brackets} and <b>tags</b>.\n${JSON_CALL}\nThat was an example.`
  const parser = createParser({ protocols: 'hermes', tools })
  let shown = ''
  let held = 0
  const events = text.split('').flatMap((char, at) => {
    const found = parser.feed(char)
    for (const event of found) if (event.type === 'text') shown += event.delta
    held = Math.max(held, at + 1 - shown.length)
    return found
  })
  expect(collectReply([...events, ...parser.end()]).text).toBe(text)
  expect(text.startsWith(shown)).toBe(true)
  expect(held).toBeLessThan(JSON_CALL.length + 20)
})

test('a reply full of calls is read once, and what it keeps is not copied', () => {
  const count = 2000
  const text = `Sure.\n${`${JSON_CALL}\n`.repeat(count)}`
  expect(calls(text)).toHaveLength(count)
})

describe('fits', () => {
  const schema = {
    type: 'object',
    properties: {
      at: { allOf: [{ $ref: '#/$defs/point' }] },
      unit: { const: 'm' },
      n: { enum: [1] },
    },
    $defs: { point: { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] } },
  }
  test.each<[object, boolean]>([
    [{ at: { x: 1 }, unit: 'm', n: 1 }, true],
    [{ at: {} }, false],
    [{ at: { x: '1' } }, false],
    [{ unit: 'km' }, false],
    [{ n: 2 }, false],
    [{ other: 1 }, true],
  ])('%j: %s', (value, expected) => {
    expect(fits(value, schema, schema)).toBe(expected)
  })
})
