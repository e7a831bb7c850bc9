import { expect, test } from 'vitest'
import { grammarOf } from '../read/grammar.ts'
import { Input } from '../read/input.ts'
import { namesOf } from '../read/names.ts'
import { NAME } from '../read/tree.ts'
import { everyProtocol } from '../registry.ts'
import { openingsFor } from './openings.ts'

const tools = [{ name: 'ping' }]
const names = namesOf(tools)
const { blocks } = grammarOf(everyProtocol, names)
const marks = blocks
  .filter(({ kind, weak }) => !weak && (kind === 'call' || kind === 'section'))
  .flatMap(({ marks }) => marks.map((mark) => mark.replaceAll(NAME, 'ping')))

test.each([...new Set(marks)])('calls that begin with %j are looked for', (mark) => {
  const { first, later, beginning } = openingsFor(tools)
  expect(first.match(mark, 0, mark.length)).toBe('all')
  const [symbol, word] = [mark, `\n${mark}`].map((text) => later.match(text, 0, text.length))
  expect([symbol, word]).toContain('all')
  const input = new Input()
  input.append(mark)
  expect(beginning(input)).not.toBe('none')
})
