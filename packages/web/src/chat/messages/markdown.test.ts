import { expect, test } from 'vitest'
import { textBlocks } from '../rows/text-blocks.ts'
import { readMarkdown } from './markdown.tsx'

test('shows HTML as text; supports tables, tasks and addresses', () => {
  const types = (text: string): string[] => readMarkdown(text).map(({ type }) => type)
  expect(types('<img src=x onerror=alert(1)>')).toEqual(['html'])
  expect(types('| a |\n|---|\n| b |')).toEqual(['table'])
  expect(readMarkdown('- [x] done')[0]).toMatchObject({ children: [{ checked: true }] })
  expect(readMarkdown('see www.a.example')[0]).toMatchObject({
    children: [{ type: 'text' }, { type: 'link', url: 'http://www.a.example' }],
  })
})

test.each([
  `${'- '.repeat(1200)}x`,
  '> '.repeat(8000),
  '>'.repeat(4000),
  '1. '.repeat(1300),
  Array.from({ length: 80 }, (_, at) => `${' '.repeat(at)}- a`).join('\n'),
  '*a'.repeat(2000),
  '*a _b '.repeat(600),
  '['.repeat(4000),
  '![[]('.repeat(700),
  '<a '.repeat(1200),
  '|'.repeat(4000),
  `| a |\n|---|\n${'| b |\n'.repeat(600)}`,
])('reads a block with any content (%#)', (text) => {
  for (const block of textBlocks(text)) if (block.type === 'markdown') readMarkdown(block.text)
})
