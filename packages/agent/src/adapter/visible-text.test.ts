import fc from 'fast-check'
import { expect, test } from 'vitest'
import { VisibleText } from './visible-text.ts'

const tools = [{ name: 'look' }]
const texts = fc.array(fc.constantFrom('a', 'b', '\n', ' ', '\t', '<', '\u2060', 'look'))

function shown(
  pieces: readonly string[],
  { hold = false, hasReasoning = false, hasCalls = false } = {},
): string {
  const visible = new VisibleText({ tools }, { hold })
  if (hasReasoning) visible.pause()
  const out = pieces.map((piece) => visible.add(piece)).join('') + visible.end(hasCalls)
  expect(visible.shown).toBe(out)
  return out
}

test('sends text without calls and reasoning unchanged, in any chunking', () => {
  fc.assert(
    fc.property(texts, fc.boolean(), (pieces, hold) => {
      expect(shown(pieces, { hold })).toBe(shown([pieces.join('')], { hold }))
      const text = pieces.join('').replaceAll('\u2060', '')
      expect(shown([text], { hold })).toBe(text)
    }),
  )
})

test('line breaks after reasoning and before calls are not part of it', () => {
  fc.assert(
    fc.property(texts, (pieces) => {
      const text = shown(pieces, { hasReasoning: true, hasCalls: true })
      expect(text).toBe(shown([pieces.join('')]).trim())
    }),
  )
})

test('text after reasoning or a call is separated from earlier text', () => {
  for (const begin of ['add', 'pause', 'release'] as const) {
    const visible = new VisibleText({ tools }, { isContinued: true })
    const first = begin === 'add' ? '' : visible[begin]()
    expect(first + visible.add('a\n') + visible.end(true)).toBe('\n\na')
  }
})

test('holds text back until a call, but not until reasoning', () => {
  const visible = new VisibleText({ tools }, { hold: true })
  expect([visible.add('a\n'), visible.pause(), visible.add('b')]).toEqual(['', '', ''])
  expect(visible.release()).toBe('a\nb')
  expect([visible.add('\n'), visible.add('c')]).toEqual(['', '\nc'])
})

test('any amount of white space takes linear time', () => {
  const visible = new VisibleText({ tools })
  // With quadratic work, this would take minutes.
  let sent = 0
  for (let at = 0; at < 500_000; at++) sent += visible.add('\n').length
  expect([sent, visible.end(false).length]).toEqual([0, 500_000])
})
