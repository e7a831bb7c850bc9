import { describe, expect, test } from 'vitest'
import { createTextBlocks, textBlocks } from './text-blocks.ts'

const texts = (text: string): readonly string[] => textBlocks(text).map((block) => block.text)

describe('textBlocks', () => {
  test.each<[string, string, readonly string[]]>([
    ['nothing', '', []],
    ['only blank lines', ' \n\n\t\n', []],
    ['one paragraph', 'one\ntwo', ['one\ntwo']],
    ['paragraphs', 'one\n\n\ntwo\n', ['one', 'two']],
    ['a paragraph inside a list', '- a\n\n  more\n- b\n\nend', ['- a\n\n  more\n- b', 'end']],
    ['a loose list: numbers go on', '1. a\n\n2. b', ['1. a', '2. b']],
    ['a table', '| a |\n|---|\n| b |\n\nend', ['| a |\n|---|\n| b |', 'end']],
    ['indented code after a paragraph', 'a\n\n    code', ['a', '    code']],
  ])('%s', (_, text, expected) => {
    expect(texts(text)).toEqual(expected)
  })

  test('a fenced block keeps blank lines and inner fences', () => {
    expect(textBlocks('See:\n```ts\na\n\n~~~\nb\n```\nend')).toEqual([
      { type: 'markdown', text: 'See:' },
      { type: 'code', text: 'a\n\n~~~\nb', language: 'ts' },
      { type: 'markdown', text: 'end' },
    ])
  })

  test('a longer fence is closed only by one of at least its length', () => {
    expect(textBlocks('````\n```\n````')).toEqual([{ type: 'code', text: '```', language: '' }])
  })

  test('unfinished code is a code block', () => {
    expect(textBlocks('```js\nlet a')).toEqual([{ type: 'code', text: 'let a', language: 'js' }])
  })

  test('code inside a list stays in the list', () => {
    const list = '- run:\n\n  ```sh\n  a\n\n  b\n  ```\n- then'
    expect(texts(list)).toEqual([list])
  })

  test("a link works in a block other than its definition's", () => {
    const [first, second] = texts('See [docs][1].\n\nNothing here.\n\n[1]: https://example.com')
    expect(first).toBe('See [docs][1].\n\n[1]: https://example.com')
    expect(second).toBe('Nothing here.')
  })

  test('adding text keeps all blocks before the last one', () => {
    const text =
      '# Title\n\nA *text*.\n\n- a\n- b\n\n  more\n\n```ts\nx\n\ny\n```\n\n| a |\n|---|\n| 1 |\n\nend'
    let before: readonly string[] = []
    for (let length = 1; length <= text.length; length++) {
      const blocks = texts(text.slice(0, length))
      // The former last block may have grown or become a fence.
      expect(blocks.slice(0, before.length - 1)).toEqual(before.slice(0, -1))
      before = blocks
    }
  })

  test('shows a line that is too long as plain text', () => {
    expect(textBlocks('a '.repeat(20_000)).map(({ type }) => type)).toEqual(['plain'])
  })

  test('splits a long list into blocks that begin with an item', () => {
    const items = Array.from({ length: 2000 }, (_, at) => `${at + 1}. item`)
    const blocks = texts(items.join('\n'))
    expect(blocks.length).toBeGreaterThan(2)
    expect(blocks.join('\n')).toBe(items.join('\n'))
    for (const block of blocks) expect(block).toMatch(/^\d+\. item/)
  })

  test('splits a long paragraph into blocks, but not a table', () => {
    const lines = 'a line of text\n'.repeat(600)
    const blocks = textBlocks(lines)
    expect(blocks.length).toBeGreaterThan(1)
    expect(new Set(blocks.map(({ type }) => type))).toEqual(new Set(['markdown']))
    expect(blocks.map(({ text }) => text).join('\n')).toBe(lines.trimEnd())
    expect(textBlocks('| a cell |\n'.repeat(360))).toHaveLength(1)
  })

  test.each([
    ['lists', `${'- '.repeat(1200)}x`],
    ['quotations', `${'> '.repeat(8000)}x`],
    ['quotations without blanks', `${'>'.repeat(100)}x`],
    ['numbers', `${'1. '.repeat(100)}x`],
    [
      'lists on lines of their own',
      Array.from({ length: 80 }, (_, at) => `${'  '.repeat(at)}- a`).join('\n'),
    ],
    ['emphasis', '*a'.repeat(1000)],
    ['brackets', '['.repeat(1000)],
    ['cells', '|'.repeat(2000)],
  ])('shows deeply nested %s as plain text', (_, text) => {
    expect(textBlocks(text).map(({ type }) => type)).toEqual(['plain'])
  })

  test('parses moderate nesting as Markdown', () => {
    const text = '> - a\n>   - b\n>     1. c\n>        - **d** and `e`'
    expect(textBlocks(text)).toEqual([{ type: 'markdown', text }])
  })

  test('the result does not depend on how the text arrives', () => {
    const text =
      '# T\n\nSee [a][1] and *b*.\n\n- a\n\n  ```sh\n  x\n\n  ```\n- b\n\n[1]: https://a.example\n~~~ts\nx\n\n```\n~~~\n\n> q\n\nend ```'
    for (const step of [1, 2, 3, 7, 50]) {
      const cut = createTextBlocks()
      for (let length = step; length < text.length; length += step)
        expect(texts(text.slice(0, length))).toHaveLength(cut(text.slice(0, length), true).length)
      expect(cut(text, false)).toEqual(textBlocks(text))
    }
  })

  test('reuses the objects of finished blocks', () => {
    const cut = createTextBlocks()
    const before = cut('One.\n\nTwo.\n\nThr', true)
    const after = cut('One.\n\nTwo.\n\nThree.\n\nFour', true)
    expect(after[0]).toBe(before[0])
    expect(after[1]).toBe(before[1])
    expect(cut('Another.', true)).toEqual([{ type: 'markdown', text: 'Another.' }])
  })
})
