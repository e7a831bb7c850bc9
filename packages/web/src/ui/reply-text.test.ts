import { expect, test } from 'vitest'
import { replyPieces } from './reply-text.tsx'

test('cuts a reply into its pieces without losing text', () => {
  const content = '<think>hm</think>Hi<call>'
  const pieces = replyPieces(content, [
    { type: 'reasoning', span: [7, 9] },
    { type: 'text', span: [17, 19] },
    { type: 'call', span: [19, 25] },
    { type: 'result', span: [20, 99] },
    { type: 'call', span: [25, 25] },
  ])
  expect(pieces).toEqual([
    { kind: 'mark', text: '<think>' },
    { kind: 'reasoning', text: 'hm' },
    { kind: 'mark', text: '</think>' },
    { kind: 'text', text: 'Hi' },
    { kind: 'call', text: '<call>' },
  ])
  expect(pieces.map(({ text }) => text).join('')).toBe(content)
})
