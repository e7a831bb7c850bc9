import { expect, test } from 'vitest'
import { addMentions, mentionsIn } from './mentions.ts'

test.each([
  ['look at @src/a.ts.', ['src/a.ts']],
  ['@a and @a, (@b/c.md)!', ['a', 'b/c.md']],
  ['@"a file.md" please', ['a file.md']],
  ['write to me@example.org or x@y', []],
  ['an @ alone, and @@', []],
  ['@../up.md\n@./here', ['../up.md', './here']],
])('%s', (prompt, paths) => {
  expect(mentionsIn(prompt)).toEqual(paths)
})

test('what is mentioned is put behind the prompt, what is not there is said', async () => {
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
    { path: 'b.md', reason: 'there is no such file' },
    { path: 'c.md', reason: 'Not allowed' },
  ])
})

test('no more than there is room for', async () => {
  const { content, missing } = await addMentions('@a @b', async () => 'x'.repeat(1000), {
    most: 300,
    mostFiles: 1,
  })
  expect(content.length).toBeLessThan(400)
  expect(missing).toEqual([{ path: 'b', reason: 'only 1 files are read' }])
})

test('a path cannot close its tag', async () => {
  const { content } = await addMentions('@"a>\\"<b"', async () => 'x')
  expect(content).toContain('<file path="a%3E\\">')
})
