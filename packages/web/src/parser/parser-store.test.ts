import { Text } from '@codemirror/state'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'

beforeEach(() => {
  vi.resetModules()
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

test('another text replaces pending text, and closing the editor takes it over', async () => {
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

test('only the text of the address keeps the address', async () => {
  const { loadReply, parserState, showText } = await import('./parser-store.ts')
  loadReply({ text: 'a' }, undefined, 'reply=a')
  expect(parserState()).toMatchObject({ from: 'reply=a', edits: 0 })
  showText('b')
  expect(parserState()).toMatchObject({ from: undefined, edits: 1 })
  loadReply({ text: 'of a file' })
  expect(parserState()).toMatchObject({ from: undefined, edits: 2 })
})

test('keeps a protocol from a text separate from the drawn one', async () => {
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

test('stores the text and its options for a reload, unless it is empty or in the address', async () => {
  const stored = new Map<string, string>()
  const page = new EventTarget()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  })
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  onTestFinished(() => void vi.unstubAllGlobals())
  const reload = async (): Promise<typeof import('./parser-store.ts')> => {
    page.dispatchEvent(new Event('pagehide'))
    vi.resetModules()
    return import('./parser-store.ts')
  }
  const first = await reload()
  const tools = [{ name: 'Read' }]
  first.loadReply({ text: '', protocol: 'hermes', finish: 'length', tools, drawn: 'theirs' })
  first.typeText(Text.of(['typed \ud800', 'just now']))
  const second = await reload()
  expect(second.parserState()).toMatchObject({
    ...{ text: 'typed \ud800\njust now', protocol: 'hermes', finish: 'length' },
    ...{ tools: 'file', fileTools: tools, fileDrawn: 'theirs', from: undefined },
  })
  second.loadReply({ text: 'of a link' }, undefined, 'reply=x')
  const third = await reload()
  expect(third.parserState()).toMatchObject({ text: '', loaded: 0 })
  third.showText('x')
  third.showText('')
  expect((await reload()).parserState().loaded).toBe(0)
})
