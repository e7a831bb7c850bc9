import { Text } from '@codemirror/state'
import { beforeEach, expect, test, vi } from 'vitest'

beforeEach(() => {
  vi.resetModules()
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

test('a text that waits is dropped by another one, and taken over when its editor goes', async () => {
  const { parserState, showText, takeTyped, typeText } = await import('./parser-store.ts')
  const long = Text.of(['x'.repeat(60_000)])
  typeText(long)
  showText('')
  vi.runAllTimers()
  expect(parserState()).toMatchObject({ text: '', loaded: 1 })
  typeText(long)
  takeTyped(true)
  expect(parserState()).toMatchObject({ text: long.toString(), loaded: 2 })
  typeText(Text.of(['short']))
  vi.runAllTimers()
  expect(parserState()).toMatchObject({ text: 'short', loaded: 2 })
})

test('only a text of the address leaves the address as it is', async () => {
  const { loadReply, parserState, showText } = await import('./parser-store.ts')
  loadReply({ text: 'a' }, undefined, 'reply=a')
  expect(parserState()).toMatchObject({ from: 'reply=a', edits: 0 })
  showText('b')
  expect(parserState()).toMatchObject({ from: undefined, edits: 1 })
  loadReply({ text: 'of a file' })
  expect(parserState()).toMatchObject({ from: undefined, edits: 2 })
})

test('a protocol that came with a text stays apart from the one that was drawn', async () => {
  const { draw, drawnNow, keepDrawing, loadReply, parserState } = await import('./parser-store.ts')
  loadReply({ text: '', drawn: 'theirs' })
  draw('theirs, changed')
  expect(parserState()).toMatchObject({ drawn: 'theirs, changed', fileDrawn: undefined })
  loadReply({ text: '', drawn: 'others' })
  draw('others, changed')
  expect(parserState().drawn).toBe('theirs, changed')
  expect(drawnNow(parserState())).toBe('others, changed')
  keepDrawing('others, changed')
  expect(parserState()).toMatchObject({ drawn: 'others, changed', fileDrawn: undefined })
})
