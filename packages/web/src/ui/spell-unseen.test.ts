import { expect, test } from 'vitest'
import { spellUnseen } from './spell-unseen.ts'

test('line breaks and tabs are text; what nobody sees is spelled out', () => {
  expect(spellUnseen('a\tb\n')).toBe('a\tb\n')
  expect(spellUnseen('a\u200bb\u202e\u001b[0m')).toBe('a⟦U+200B⟧b⟦U+202E⟧⟦U+001B⟧[0m')
})
