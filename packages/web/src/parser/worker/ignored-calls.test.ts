import { expect, test } from 'vitest'
import { ignoredCalls, codeIn } from './ignored-calls.ts'
import { readReply } from './read-reply.ts'
import fc from 'fast-check'
import { isLong } from '../../../../../tests/helpers/size.ts'

const options = { protocol: 'auto', finish: 'stop', startsInReasoning: false } as const
const never = (): undefined => undefined
const CALL = '<tool_call>\n{"name": "Read", "arguments": {"file_path": "src/a.ts"}}\n</tool_call>'

async function ignored(text: string, given: object = options) {
  const all = { ...options, ...given }
  const { stored } = await readReply({ text, options: all, chunk: 6 }, never)
  const found = await ignoredCalls(text, stored, all, never)
  return found.map(({ why, name, from, to }) => [why, name, text.slice(from, to)])
}

test('finds a call in closed reasoning, a code block or a code span', async () => {
  expect(await ignored(`<think>\nI should.\n${CALL}\n</think>\nThe file is read.`)).toEqual([
    ['reasoning', 'Read', CALL],
  ])
  expect(await ignored(`You could use:\n\`\`\`xml\n${CALL}\n\`\`\`\nThat will read it.`)).toEqual([
    ['code', 'Read', CALL],
  ])
  const short = CALL.replaceAll('\n', '')
  expect(await ignored(`You could use \`${short}\` for that.`)).toEqual([['code', 'Read', short]])
  expect(await ignored(`<think>\n\`\`\`\n${CALL}\n\`\`\`\nor so</think>\nDone.`)).toEqual([
    ['reasoning', 'Read', CALL],
  ])
})

test('finds a call with escaped marks', async () => {
  const escaped = CALL.replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  expect(await ignored(`${escaped} ok then.`)).toEqual([['escaped', 'Read', escaped]])
  const quoted = escaped.replaceAll('"', '&quot;')
  expect(await ignored(`So: ${quoted} ok then.`)).toEqual([['escaped', 'Read', quoted]])
})

test('reports neither plain text nor counted calls', async () => {
  for (const text of [
    '',
    'Use `a` and ```\n{"name": "package", "version": "1"}\n``` and 1 &lt; 2.',
    `<think>${CALL}`,
    `Look:\n${CALL}`,
    '```\n<tool_call>\n{"name": "Re',
  ])
    expect(await ignored(text)).toEqual([])
})

test('limits the text that is parsed again', async () => {
  const text = `<think>${'x'.repeat(40_000)}${CALL}</think>Done. \`${CALL}\` it is.`
  expect((await ignored(text)).map(([why]) => why)).toEqual(['code'])
})

const contents = (text: string): string[] => codeIn(text).map((part) => text.slice(...part))

test('finds blocks and spans', () => {
  expect(contents('a\n```xml\nb\nc\n```\nd `e` f ``g`h`` ~~~ i')).toEqual(['b\nc\n', 'e', 'g`h'])
  expect(contents('~~~\na\n```\nb\n~~~~\nc')).toEqual(['a\n```\nb\n'])
  expect(contents('```\nnever closed')).toEqual(['never closed'])
  expect(contents('a ` b')).toEqual([])
})

test('parts are sorted, inside the text, and disjoint', () => {
  const text = fc
    .array(fc.constantFrom('`', '``', '```', '~~~', '\n', ' ', 'a', 'xml'), { maxLength: 40 })
    .map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(text, (given) => {
      let last = 0
      for (const [from, to] of codeIn(given)) {
        expect(from).toBeGreaterThanOrEqual(last)
        expect(to).toBeGreaterThanOrEqual(from)
        last = to
      }
      expect(last).toBeLessThanOrEqual(given.length)
    }),
  )
})

test('takes linear time', () => {
  // A search that restarted for each mark would take minutes.
  const size = isLong ? 4_000_000 : 400_000
  const repeat = (piece: string): string => piece.repeat(size / piece.length)
  for (const piece of ['x~~~', 'x`` ` ``', '`', '~~~\n', 'a```b`` c`\n']) codeIn(repeat(piece))
  const lengths = Array.from(
    { length: isLong ? 2800 : 900 },
    (_, at) => `x${'`'.repeat(at + 1)}`,
  ).join('')
  expect(codeIn(lengths)).toEqual([])
})
