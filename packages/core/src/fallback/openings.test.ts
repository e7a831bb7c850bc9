import { expect, test } from 'vitest'
import { grammarOf } from '../read/grammar.ts'
import { Input } from '../read/input.ts'
import { namesOf } from '../read/names.ts'
import { NAME } from '../read/marks.ts'
import { everyProtocol } from '../registry.ts'
import { openingsFor } from './openings.ts'

const tools = [{ name: 'ping' }]
const names = namesOf(tools)
const { blocks } = grammarOf(everyProtocol, names)
const marks = blocks
  .filter(({ kind, weak }) => !weak && (kind === 'call' || kind === 'section'))
  .flatMap(({ marks }) => marks.map((mark) => mark.replaceAll(NAME, 'ping')))

test.each([...new Set(marks)])('calls that begin with %j are searched for', (mark) => {
  const { first, later, beginning } = openingsFor(tools)
  expect(first.match(mark, 0, mark.length)).toBe('all')
  const [symbol, word] = [mark, `\n${mark}`].map((text) => later.match(text, 0, text.length))
  expect([symbol, word]).toContain('all')
  const input = new Input()
  input.append(mark)
  expect(beginning(input)).not.toBe('none')
})

const { beginning } = openingsFor([...tools, { name: 'odd name' }])
function found(text: string): string {
  const input = new Input()
  input.append(text)
  return beginning(input)
}

test.each([
  ...[
    '<ping>',
    '< ping >',
    '<ping a="b">',
    '<functions.ping>',
    '<PING>',
    '<odd name>',
    '<odd&#32;name>',
  ],
  ...[
    '<my_tool>',
    '<|tool_x|>',
    `<${' '.repeat(80)}tool>`,
    '<\u00a0ping>',
    '<!-- x',
    '{"name": 1',
    '[{',
  ],
])('%j may begin a call', (text) => {
  expect(found(`${text} `)).toBe('all')
})

test.each([
  '<a> ',
  '< b c',
  '<< x',
  '</ping>',
  '<div class="tool">',
  '{ "x": 1',
  '{}',
  '[x] ',
  '<pin>',
])('%j does not begin a call', (text) => {
  expect(found(text)).toBe('none')
})

test.each(['<', '<pi', '< ', '<my_to', '{', '{ "na'])('%j needs more text', (text) => {
  expect(found(text)).toBe('part')
})
