import { parse } from '@toolglot/core'
import { details } from '@toolglot/core/details'
import { expect, test } from 'vitest'
import { callChecker, realRepairs } from './call-problems.ts'

const tools = [
  {
    name: 'Read',
    parameters: {
      type: 'object',
      properties: { file_path: { type: 'string' }, limit: { type: 'integer' } },
      required: ['file_path'],
      additionalProperties: false,
    },
  },
  { name: 'Grep' },
]

function problemsOf(call: string, given = tools) {
  const [first] = parse(call, { tools: given, details }).calls
  return { problems: callChecker(given)(first!), repairs: realRepairs(first!) }
}

const written = (call: object): string => `<tool_call>\n${JSON.stringify(call)}\n</tool_call>`

test('reports an unknown tool, with the probable name', () => {
  const call = written({ name: 'read_flie', arguments: { path: 'a' } })
  expect(problemsOf(call).problems).toEqual([{ type: 'unknown-tool', similar: 'Read' }])
  const other = written({ name: 'weather', arguments: {} })
  expect(problemsOf(other).problems).toEqual([{ type: 'unknown-tool' }])
  expect(problemsOf(other, []).problems).toEqual([])
})

test('reports unknown, missing and mistyped arguments as problems, not repairs', () => {
  const call = written({ name: 'Read', arguments: { path: 'src/a.ts', limit: 'ten' } })
  expect(problemsOf(call)).toEqual({
    problems: [
      { type: 'unknown-argument', argument: 'path', similar: 'file_path' },
      { type: 'argument', argument: 'file_path', fault: { type: 'required' } },
      { type: 'argument', argument: 'limit', fault: { type: 'integer' }, got: '"ten"' },
    ],
    repairs: [],
  })
})

test('finds no problems in a valid call, nor missing arguments in one that was cut off', () => {
  const call = written({ name: 'Read', arguments: { file_path: 'a', limit: 3 } })
  expect(problemsOf(call).problems).toEqual([])
  expect(problemsOf('<tool_call>\n{"name": "Read", "argum').problems).toEqual([])
})

test('does not report problems of another call in the same block', () => {
  const wrong = '{"name":"Read","arguments":{"file_path":"a","zzzz":1}}'
  const right = '{"name":"Grep","arguments":{"pattern":"x"}}'
  const read = (text: string) =>
    parse(`<tool_call>${text}</tool_call>`, { tools, details }).calls.map((call) => [
      call.name,
      callChecker(tools)(call),
    ])
  const unknown = [{ type: 'unknown-argument', argument: 'zzzz' }]
  expect(read(`${wrong}\n${right}`)).toEqual([
    ['Read', unknown],
    ['Grep', []],
  ])
})
