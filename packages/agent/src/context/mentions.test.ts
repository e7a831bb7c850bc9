import { expect, test } from 'vitest'
import { addMentions, findMentions } from './mentions.ts'

test.each([
  ['look at @src/a.ts.', ['src/a.ts']],
  ['@a and @a, (@b/c.md)!', ['a', 'b/c.md']],
  ['@"a file.md" please', ['a file.md']],
  ['write to me@example.org or x@y', []],
  ['an @ alone, and @@', []],
  ['@../up.md\n@./here', ['../up.md', './here']],
])('%s', (prompt, paths) => {
  expect(findMentions(prompt)).toEqual(paths)
})

test('mentioned files are appended to the prompt, and missing ones are reported', async () => {
  const files = new Map([['a.md', 'text <tool_call>']])
  const { content, untrusted, missing } = await addMentions(
    'see @a.md, @b.md and @c.md',
    async (path) => {
      if (path === 'c.md') throw new Error('Not allowed')
      return files.get(path)
    },
  )
  expect(content).toBe(
    'see @a.md, @b.md and @c.md\n\n<file path="a.md">\ntext <\u2060tool_call>\n</file>',
  )
  expect(untrusted).toEqual(['text <tool_call>'])
  expect(missing).toEqual([
    { path: 'b.md', reason: 'the file does not exist' },
    { path: 'c.md', reason: 'Not allowed' },
  ])
})

test('the size and number of files are limited', async () => {
  const { content, missing } = await addMentions('@a @b', async () => 'x'.repeat(1000), {
    maxCharactersPerFile: 300,
    maxFiles: 1,
  })
  expect(content.length).toBeLessThan(400)
  expect(missing).toEqual([{ path: 'b', reason: 'at most 1 files are read' }])
})

test('a path cannot close the tag of its file', async () => {
  const { content } = await addMentions('@"a>\\"<b"', async () => 'x')
  expect(content).toContain('<file path="a%3E\\">')
})

test('images keep their places', async () => {
  const image = { type: 'image' as const, url: 'data:image/png;base64,AA==' }
  const prompt = [{ type: 'text' as const, text: 'see @a.md' }, image]
  const { content } = await addMentions(prompt, async () => 'x')
  expect(content).toEqual([...prompt, { type: 'text', text: '<file path="a.md">\nx\n</file>' }])
})
