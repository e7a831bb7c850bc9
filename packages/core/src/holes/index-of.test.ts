import { describe, expect, test } from 'vitest'
import {
  collectReply,
  createParser,
  parse,
  protocols,
  type Reply,
  type Schema,
  type ToolDefinition,
} from '../index.ts'

const object = (...keys: string[]): Schema => ({
  type: 'object',
  properties: Object.fromEntries([...keys, 'note'].map((key) => [key, { type: 'string' }])),
  required: keys,
})

const tools: ToolDefinition[] = [
  { name: 'exec', parameters: object('command') },
  { name: 'read_2', parameters: object('path') },
  { name: 'list', parameters: object('path', 'depth') },
]

function written(id: string, args = '{"command": "ls"}'): string {
  return `<|tool_calls_section_begin|><|tool_call_begin|>${id}<|tool_call_argument_begin|>${args}<|tool_call_end|><|tool_calls_section_end|>`
}

function read(text: string, known: ToolDefinition[] | null = tools): Reply {
  return parse(text, {
    protocols: protocols['kimi-k2'],
    ...(known && { tools: known }),
    makeId: () => 'made',
  })
}

test.each([
  ['functions_exec_1', '1'],
  ['functionsexec5', '5'],
  ['functions.exec', 'made'],
  ['function.exec', 'made'],
  ['exec', 'made'],
  ['exec_12', '12'],
  ['exec-3', '3'],
])('%j contains the name of a tool', (id, kept) => {
  expect(read(written(id)).calls).toMatchObject([
    { id: kept, name: 'exec', args: { command: 'ls' }, complete: true, repairs: ['tool-id'] },
  ])
})

test('a number may be part of the name', () => {
  expect(read(written('functions_read_2', '{"path": "a"}')).calls).toMatchObject([
    { id: 'made', name: 'read_2' },
  ])
})

describe.each(['call_abc123', 'call00003', 'toolu_01x', '3', ''])('%j contains no name', (id) => {
  test.each([
    ['{"command": "ls"}', 'exec'],
    ['{"path": "a", "note": "b"}', 'read_2'],
    ['{"path": "a", "depth": "1"}', 'list'],
  ])('the tool is the only one that accepts %s', (args, name) => {
    expect(read(written(id, args)).calls).toMatchObject([
      { id: id || 'made', name, args: JSON.parse(args), repairs: ['tool-id'] },
    ])
  })

  test.each(['{}', '{"note": "a"}', '{"command": "ls", "path": "a"}', '{"command": "ls", "x": 1}'])(
    'no tool accepts %s',
    (args) => {
      const reply = read(written(id, args))
      expect(reply.calls).toEqual([])
      expect(reply.segments[0]).toMatchObject({ type: 'malformed', problem: 'no-name' })
    },
  )

  test('several tools may accept the same arguments', () => {
    const twice = [...tools, { name: 'run', parameters: object('command') }]
    expect(read(written(id), twice).calls).toEqual([])
  })

  test('a reply that is cut off has no complete call', () => {
    const text = written(id)
    for (let end = 0; end < text.indexOf('}'); end++)
      expect(read(text.slice(0, end)).calls.filter(({ complete }) => complete)).toEqual([])
  })
})

test.each(['fetch', 'fetch_1', 'functions.fetch', 'call_me', 'a b', 'exec;ls'])(
  'an unknown tool is not replaced by another: %j',
  (id) => {
    expect(read(written(id)).calls).toEqual([])
  },
)

test('an id that fits two tools is ambiguous', () => {
  const both = [...tools, { name: 'exec_1', parameters: object('command') }]
  expect(read(written('functions_exec_1'), both).calls).toEqual([])
  expect(read(written('exec_1'), both).calls).toMatchObject([{ name: 'exec_1' }])
})

test('works only for known tools and with repairs', () => {
  expect(read(written('functions_exec_1'), null).calls).toEqual([])
  const strict = { protocols: protocols['kimi-k2'], tools, repairs: false }
  expect(parse(written('exec'), strict).calls).toEqual([])
})

test('does not affect neighboring calls', () => {
  const text = written('functions.exec:0') + written('7', '{}') + written('functions.exec:1')
  expect(read(text).calls).toMatchObject([
    { id: '0', repairs: [] },
    { id: '1', repairs: [] },
  ])
})

test('works in any chunks', () => {
  const text = written('call_abc123') + written('functions_exec_1')
  for (const size of [1, 3, 17]) {
    const parser = createParser({ protocols: protocols['kimi-k2'], tools, makeId: () => 'made' })
    const chunks = text.match(new RegExp(`[^]{1,${size}}`, 'g'))!
    const events = [...chunks.flatMap((chunk) => parser.feed(chunk)), ...parser.end()]
    expect(collectReply(events).calls).toEqual(read(text).calls)
  }
})
