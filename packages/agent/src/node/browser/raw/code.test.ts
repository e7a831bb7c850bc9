import { expect, test } from 'vitest'
import { joinPieces } from './code.ts'

test('a block with a call becomes the call, and other blocks stay blocks', () => {
  expect(
    joinPieces([
      { text: '\n\nI look.\n\n\n\nNow:\n' },
      { code: 'CALL\n<TOOL_CALL>\n{"tool": "a", "args": {}}\n</TOOL_CALL>\n' },
      { text: '\n' },
      { code: 'CALLS = 1\n' },
      { code: 'a\n```\nb' },
    ]),
  ).toBe(
    [
      'I look.\n\nNow:',
      '<TOOL_CALL>\n{"tool": "a", "args": {}}\n</TOOL_CALL>',
      '```\nCALLS = 1\n```',
      '````\na\n```\nb\n````',
    ].join('\n\n'),
  )
  expect(joinPieces([])).toBe('')
})
