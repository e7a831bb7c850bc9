import { describe, expect, test } from 'vitest'
import { keyTexts } from './key-text.ts'
import { type KeyPress, pressedKey } from './pressed-key.ts'

const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({
  key,
  code: '',
  metaKey: false,
  ctrlKey: false,
  altKey: false,
  shiftKey: false,
  ...more,
})

describe('pressedKey', () => {
  test.each<[string, KeyPress, boolean, string | undefined]>([
    ['a letter', press('g'), false, 'g'],
    ['a letter with caps lock', press('G'), false, 'g'],
    ['a sign above a digit', press('?', { shiftKey: true }), false, '?'],
    ['a sign with AltGr', press(']', { ctrlKey: true, altKey: true }), false, ']'],
    ['a sign with Option', press(']', { altKey: true }), true, ']'],
    ['a letter with Alt', press('k', { altKey: true }), false, undefined],
    ['a letter with AltGr', press('€', { ctrlKey: true, altKey: true }), false, '€'],
    ['Ctrl', press('k', { ctrlKey: true }), false, 'mod+k'],
    ['⌘', press('k', { metaKey: true }), true, 'mod+k'],
    ['Ctrl on a Mac', press('k', { ctrlKey: true }), true, undefined],
    ['the Windows key', press('k', { metaKey: true }), false, undefined],
    ['Ctrl and Shift', press('K', { ctrlKey: true, shiftKey: true }), false, 'mod+shift+k'],
    ['Tab', press('Tab'), false, 'Tab'],
    ['Shift and Tab', press('Tab', { shiftKey: true }), false, 'shift+Tab'],
    ['the space bar', press(' '), false, 'Space'],
    ['a dead key', press('Dead'), false, undefined],
    ['a key of an input method', press('Process'), false, undefined],
    ['only Shift', press('Shift', { shiftKey: true }), false, undefined],
    ['a Cyrillic letter', press('п', { code: 'KeyG' }), false, 'g'],
    ['a Cyrillic letter with Ctrl', press('л', { code: 'KeyK', ctrlKey: true }), false, 'mod+k'],
    ['a letter at another place', press('z', { code: 'KeyY' }), false, 'z'],
  ])('%s', (_, event, isApple, expected) => {
    expect(pressedKey(event, isApple)).toBe(expected)
  })
})

test.each([
  ['mod+k', true, ['⌘', 'K']],
  ['mod+shift+k', false, ['Ctrl', '⇧', 'K']],
  ['g ,', false, ['G', ',']],
  ['?', false, ['?']],
  ['+', false, ['+']],
  ['mod++', false, ['Ctrl', '+']],
  ['Escape', true, ['Esc']],
  ['shift+Tab', true, ['⇧', '⇥']],
])('the key labels of %s', (keys, isApple, expected) => {
  expect(keyTexts(keys, isApple)).toEqual(expected)
})
