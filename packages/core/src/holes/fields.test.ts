import { expect, test } from 'vitest'
import { parse, protocols } from '../index.ts'

const parameters = {
  type: 'object',
  properties: { n: { type: 'integer' }, text: { type: 'string' } },
}
const tools = [{ name: 'kit_count', parameters }]
const n = 'n:「始」1「末」'
const text = 'text:「始」2「末」'
const tool = 'tool_name:「始」kit「末」'
const command = 'command:「始」count「末」'

function read(...fields: readonly string[]) {
  const block = `<<<[TOOL_REQUEST]>>>\n${fields.join(',\n')}\n<<<[END_TOOL_REQUEST]>>>`
  const { calls } = parse(block, { protocols: protocols.vcp, tools })
  return calls.map(({ name, args, complete }) => [name, args, complete])
}

test.each([
  [[tool, command, n, text]],
  [[command, tool, n, text]],
  [[tool, n, text, command]],
  [[n, tool, text, command]],
  [[n, text, tool, command]],
  [[n, text, command, tool]],
  [[command, n, text, tool]],
  [[n, text, 'tool_name:「始」kit_count「末」']],
])('arguments are typed wherever the name is: %j', (fields) => {
  expect(read(...fields)).toEqual([['kit_count', { n: 1, text: '2' }, true]])
})

test('a command that is not a method is an argument', () => {
  const other = 'command:「始」other「末」'
  for (const fields of [
    [tool, other, n],
    [other, tool, n],
    [n, other, tool],
    [tool, n, other],
  ])
    expect(read(...fields)).toEqual([['kit', { command: 'other', n: '1' }, true]])
})

test('also converts the arguments of several calls in one block', () => {
  const block = [
    'command1:「始」count「末」',
    'n1:「始」1「末」',
    tool,
    'command2:「始」count「末」',
  ]
  expect(read(...block, 'n2:「始」2「末」', 'text2:「始」3「末」')).toEqual([
    ['kit_count', { n: 1 }, true],
    ['kit_count', { n: 2, text: '3' }, true],
  ])
})
