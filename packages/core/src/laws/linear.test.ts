// Law 5: work grows no faster than the text, and little text is held back. These tests measure no
// time: they count the characters that string methods return.
import { describe, expect, test } from 'vitest'
import { count } from '../check/laws.ts'
import {
  createParser,
  type Event,
  type ParserOptions,
  protocols,
  type ToolDefinition,
} from '../index.ts'
import { details } from '../details/details.ts'
import { isLong, share } from '../../../../tests/helpers/size.ts'

const tools: ToolDefinition[] = [
  { name: 'ping', parameters: { type: 'object', properties: { a: { type: 'string' } } } },
]

/** Feeds an input in chunks of one size. */
function feed(text: string, options: ParserOptions, size: number): void {
  const parser = createParser({ tools, ...options })
  // `substring`, because calls of `slice` are counted.
  for (let at = 0; at < text.length; at += size) parser.feed(text.substring(at, at + size))
  parser.end()
}

/**
 * Feeds an input in small chunks. After each chunk, reports the length fed and the events so far.
 */
function stream(
  text: string,
  options: ParserOptions,
  after: (fed: number, events: readonly Event[]) => void,
): void {
  const parser = createParser({ tools, ...options })
  for (let at = 0; at < text.length; at += CHUNK) {
    after(Math.min(at + CHUNK, text.length), parser.feed(text.slice(at, at + CHUNK)))
  }
  after(text.length, parser.end())
}

const CHUNK = 4

const one = (id: string): ParserOptions => ({ protocols: protocols[id]! })
const hermes = one('hermes')
const every: ParserOptions = {}

const CALL = '<tool_call>{"name": "ping", "arguments": {"a": "x"}}</tool_call>'
const OPEN = '<tool_call>{"name": "ping", "arguments": {"a": "'

type Row = readonly [
  name: string,
  options: readonly ParserOptions[],
  text: (repeat: (unit: string) => string) => string,
]

const rows: Row[] = [
  ['prose', [hermes, every], (of) => of('The quick brown fox. ')],
  ['less-than signs', [hermes, every], (of) => of('<')],
  ['near misses', [hermes, every], (of) => of('<tool_cal [TOOL_CAL <|im_e < [ ')],
  ['spaces', [hermes, every], (of) => of(' ')],
  ['calls', [hermes, every], (of) => of(CALL)],
  ['openings', [hermes, every], (of) => of('<tool_call>')],
  ['openings with a brace', [hermes], (of) => of('<tool_call>{')],
  ['openings with a name', [hermes], (of) => of('<tool_call>{"name": "ping",')],
  ['an opening and spaces', [hermes], (of) => `<tool_call>${of(' ')}`],
  [
    'calls that cannot be read',
    [hermes],
    (of) => of('<tool_call>{"name": "ping", "arguments": {"a": }}</tool_call>'),
  ],
  ['a long argument', [hermes, every], (of) => `${OPEN}${of('lorem ipsum ')}"}}</tool_call>`],
  ['an argument full of escapes', [hermes], (of) => `${OPEN}${of('\\n\\"')}"}}</tool_call>`],
  [
    'an argument full of quotes',
    [hermes],
    (of) => `${OPEN}${of('say "hi", "k": "v" and ')}"}}</tool_call>`,
  ],
  ['an argument full of line breaks', [hermes], (of) => `${OPEN}${of('x\ny ')}"}}</tool_call>`],
  [
    'an argument in single quotes',
    [hermes],
    (of) => `<tool_call>{'name': 'ping', 'arguments': {'a': '${of("it's ")}'}}</tool_call>`,
  ],
  [
    'comments',
    [hermes],
    (of) => `<tool_call>{"name": "ping", "arguments": {${of('/* x */')}}}</tool_call>`,
  ],
  [
    'many members',
    [hermes],
    (of) => `<tool_call>{"name": "ping", "arguments": {${of('"b": "x", ')}"a": 1}}</tool_call>`,
  ],
  [
    'a long list',
    [hermes],
    (of) => `<tool_call>{"name": "ping", "arguments": {"l": [${of('"x", ')}1]}}</tool_call>`,
  ],
  [
    'a long number',
    [hermes],
    (of) => `<tool_call>{"name": "ping", "arguments": {"n": ${of('1')}}}</tool_call>`,
  ],
  [
    'arguments before the name',
    [hermes],
    (of) => `<tool_call>{"arguments": {"a": "${of('lorem ipsum ')}"}, "name": "ping"}</tool_call>`,
  ],
  ['extra brackets', [hermes], (of) => `<tool_call>{"name": "ping", "arguments": {}}${of('}')}`],
  [
    'deeply nested brackets',
    [hermes],
    (of) => `<tool_call>{"name": "ping", "arguments": {"a": ${of('[')}`,
  ],
  ['backticks', [hermes], (of) => of('`')],
  ['code spans', [hermes, every], (of) => of('`<tool_call>` ')],
  ['backticks that close nothing', [hermes, every], (of) => of('`<tool_call>{\n\n')],
  ['fences', [hermes, every], (of) => of('x\n```\n<tool_call>\n')],
  ['open reasoning', [hermes, every], (of) => `<think>${of('<tool_call>{"name": "ping", ')}`],
  ['reasoning in reasoning', [hermes, every], (of) => of('<think><tool_call>')],
  ['closed reasoning', [hermes, every], (of) => of('<think>a</think>')],
  ['open results', [hermes, every], (of) => of('<tool_response>')],
  ['results', [one('tool-call'), every], (of) => of('TOOL_RESULT: {"a": ')],
  ['functions', [one('llama3'), every], (of) => of('<function=ping>{')],
  ['functions without an end', [one('llama3'), every], (of) => of('<function=ping')],
  ['marks of Mistral', [one('mistral'), every], (of) => of('[TOOL_CALLS]')],
  ['names of Mistral', [one('mistral'), every], (of) => of('[TOOL_CALLS]ping')],
  ['lists of Mistral', [one('mistral-array'), every], (of) => of('[TOOL_CALLS][{')],
  [
    'a list of calls',
    [one('ptk'), every],
    (of) => `<PTK_BATCH>[${of('{"tool": "ping", "args": {}}, ')}]</PTK_BATCH>`,
  ],
  ['open fields', [one('vcp'), every], (of) => `<<<[TOOL_REQUEST]>>>${of('k:「始」')}`],
  [
    'fields',
    [one('vcp')],
    (of) => `<<<[TOOL_REQUEST]>>>tool_name:「始」ping「末」${of('k:「始」v「末」')}`,
  ],
  [
    'arguments in tags',
    [one('tool-xml')],
    (of) => `<tool name="ping">${of('<arg name="a">x</arg>')}</tool>`,
  ],
  [
    'open arguments in tags',
    [one('tool-xml')],
    (of) => `<tool name="ping">${of('<arg name="a">')}`,
  ],
  ['spans that close nothing', [hermes, every], (of) => of('``<tool_call>`')],
  ['requests', [one('vcp'), every], (of) => of('<<<[TOOL_REQUEST]>>>')],
  ['tools', [one('tool-xml'), every], (of) => of('<tool name="ping">')],
  [
    'an argument like a tag',
    [one('tool-xml')],
    (of) => `<tool name="ping"><arg name="a">${of('x < y </ar ')}</arg></tool>`,
  ],
  ['lines of YAML', [one('tool-yaml'), every], (of) => `TOOL: ping\nARGS:\n${of('  a: 1\n')}`],
  [
    'a block of YAML',
    [one('tool-yaml'), every],
    (of) => `TOOL: ping\nARGS:\n  a: |\n${of('    x\n')}`,
  ],
  ['a call in Python', [one('tool-function'), every], (of) => `ping(a="${of('x')}")`],
  ['calls in Python', [one('tool-function'), every], (of) => of('ping(a=')],
  [
    'a call without marks',
    [one('llama3-json'), every],
    (of) => `{"name": "ping", "parameters": {"a": "${of('x')}"}}`,
  ],
  [
    'a call without marks, and text',
    [one('llama3-json'), every],
    (of) => `{"name": "ping", "parameters": {"a": "${of('x')}"}} so`,
  ],
  ['JSON that is an answer', [one('llama3-json'), every], (of) => `{"a": "${of('x')}"}`],
  ['lone surrogates', [hermes, every], (of) => of('\ud800')],
]

const SMALL = 1 << 11
const LARGE = 1 << 13

describe.each(share(rows, 6))('%s', (_, list, text) => {
  const sized = (size: number): string => text((unit) => unit.repeat(Math.ceil(size / unit.length)))

  test.each(list.flatMap((options) => [options, { ...options, details }]))(
    'four times the text takes four times the work (options %#)',
    (options) => {
      for (const chunk of [CHUNK, LARGE * 2]) {
        const [small, large] = [SMALL, LARGE].map((size) =>
          count(() => feed(sized(size), options, chunk)),
        )
        expect(large! / small!).toBeLessThan((LARGE / SMALL) * 1.1)
      }
    },
  )
})

/** The place up to which events account for the reply. */
function given(events: readonly Event[], fed: number): number | undefined {
  const event = events.at(-1)
  switch (event?.type) {
    case 'text':
    case 'reasoning':
      return event.at + event.delta.length
    case 'call-end':
      return event.call.span[1]
    case 'malformed':
    case 'result':
      return event.span[1]
    case 'call-start':
    case 'call-delta':
    case 'end':
      return fed
    case undefined:
      return undefined
  }
}

describe('text held back', () => {
  const letters = 'a'.repeat(isLong ? 80_000 : 20_000)

  function mostHeld(text: string, options: ParserOptions): number {
    let done = 0
    let most = 0
    stream(text, options, (fed, events) => {
      done = given(events, fed) ?? done
      most = Math.max(most, fed - done)
    })
    return most
  }

  test.each<[name: string, text: string, most: number, options?: ParserOptions]>([
    ['prose', 'The quick brown fox. '.repeat(500), CHUNK],
    ['less-than signs', '<'.repeat(5000), 32],
    ['near misses', '<tool_cal [TOOL_CAL <|im_e <<<[TOOL_REQ '.repeat(300), 64],
    ['marks that are mentioned', '<tool_call> is a tag. '.repeat(300), 64],
    ['a name without an end', `<function=${letters}`, 8192, one('llama3')],
    ['a tool without an end', `[TOOL_CALLS]${letters}`, 8192],
    ['a request without an end', `<<<[TOOL_REQUEST]>>>${letters}`, 8192],
    ['spaces after a call', CALL + ' '.repeat(20_000), 8192],
    ['reasoning', `<think>${letters}`, 32],
    ['a mark in open reasoning', `<think><tool_call>${letters}`, 1 << 17],
    ['a mark in an open code span', `\`<tool_call>${letters}`, 1 << 17],
    ['a mark in an open fence', `x\n\`\`\`\n<tool_call>${letters}`, 1 << 17],
    ['an open result', `<tool_response>${letters}`, 1 << 17],
    [
      'a call that cannot be read',
      `<tool_call>{"name": "ping", "arguments": {"a": }${letters}`,
      1 << 17,
    ],
    ['a brace', `{ ${letters}`, 512],
  ])('%s', (_, text, most, options = {}) => {
    expect(mostHeld(text, options)).toBeLessThanOrEqual(most)
  })

  test('an argument is streamed as it arrives', () => {
    let out = 0
    let most = 0
    stream(`${OPEN}${'lorem ipsum '.repeat(1000)}`, hermes, (fed, events) => {
      for (const event of events) if (event.type === 'call-delta') out += event.delta.length
      if (fed > OPEN.length) most = Math.max(most, fed - OPEN.length - out)
    })
    expect(most).toBeLessThanOrEqual(CHUNK)
  })

  test('the number of events depends on chunks, not on characters', () => {
    let events = 0
    const text = `${'prose < '.repeat(1000)}${CALL}${OPEN}${'lorem ipsum '.repeat(1000)}`
    stream(text, every, (_, some) => (events += some.length))
    expect(events).toBeLessThan(text.length / CHUNK + 10)
  })
})

test('a call that is too long is malformed', () => {
  const text = `${OPEN}${'x'.repeat(5000)}"}}</tool_call> after`
  const events: Event[] = []
  stream(text, { ...hermes, maxCallLength: 1000 }, (_, some) => events.push(...some))
  expect(events.some(({ type }) => type === 'call-end')).toBe(false)
  expect(events.find(({ type }) => type === 'malformed')).toMatchObject({ problem: 'too-large' })
})
