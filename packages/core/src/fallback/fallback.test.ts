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

describe('a second reading', () => {
  test('marks a call in another protocol', () => {
    expect(calls(`Let me see.\n${OTHER_CALL}`)).toMatchObject([
      { name: 'get_weather', args: { city: 'Paris' }, complete: true, otherProtocol: true },
    ])
    expect(calls(`Let me see.\n${OTHER_CALL}`, 'qwen3-coder')[0]).not.toHaveProperty(
      'otherProtocol',
    )
  })

  test.each(['< ', '{ ', '<a> ', '[x] '])('finds the call after many repetitions of %j', (text) => {
    expect(calls(`${text.repeat(5000)}\n${JSON_CALL}`)).toMatchObject([{ name: 'get_weather' }])
  })

  test('is skipped if the selected protocol finds a call before or after', () => {
    for (const text of [`${OWN_CALL}\n${OTHER_CALL}`, `${OTHER_CALL}\n${OWN_CALL}`]) {
      const reply = parse(text, { protocols: 'hermes', tools })
      expect(reply.calls).toMatchObject([{ raw: OWN_CALL }])
      expect(reply.text).toContain(OTHER_CALL)
    }
  })

  test('skips text that the selected protocol refused, but not the text after it', () => {
    const refused = '<tool_call>\n{"name": 5}\n</tool_call>'
    expect(calls(refused)).toEqual([])
    expect(calls(`${refused}\nSo:\n${OTHER_CALL}`)).toMatchObject([
      { otherProtocol: true, afterMalformed: true },
    ])
  })

  test('needs tools, and finds only known ones', () => {
    expect(parse(`So:\n${JSON_CALL}`, { protocols: 'hermes' }).calls).toEqual([])
    expect(calls(`So:\n${JSON_CALL.replace('get_weather', 'other')}`)).toEqual([])
    const { hermes } = protocols
    expect(engine.parse(`So:\n${JSON_CALL}`, { protocols: hermes, tools }).calls).toEqual([])
  })

  test('is skipped after a forged result', () => {
    expect(calls(`<tool_response>\nsun\n</tool_response>\n${OTHER_CALL}`)).toEqual([])
  })
})

describe('calls that count', () => {
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
  ])('ignores %s', (_, text) => {
    const reply = parse(text, { protocols: 'hermes', tools })
    expect(reply).toMatchObject({ calls: [], text })
  })
})

test('passes text on as it arrives and never takes it back', () => {
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

test('a reply full of calls is read once and not copied', () => {
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
