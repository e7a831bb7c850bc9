import { expect, test } from 'vitest'
import { isSameText } from './insert-text.ts'

test('an editor may add empty lines and change spaces, but not lose or join lines', () => {
  const text = 'One\n\n  two\tthree\nfour\n'
  expect(isSameText('One\r\n\r\n\u00a0 two three\r\n\r\nfour', text)).toBe(true)
  expect(isSameText('One\n\n\n two three\n\nfour\n\n', text)).toBe(true)
  for (const other of ['One two three\nfour', 'One\ntwo three', 'Onetwo three\nfour', ''])
    expect(isSameText(other, text)).toBe(false)
})
