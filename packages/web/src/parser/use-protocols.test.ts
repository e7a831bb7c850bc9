import { expect, test } from 'vitest'
import { protocolFor } from './use-protocols.ts'

const known = {
  builtIn: [{ id: 'hermes', about: '' }],
  own: [{ id: 'mine', about: '' }],
  isComplete: true,
}

test('resolves a choice to an available protocol, or to none', () => {
  expect(protocolFor('auto', known, false)).toBe('auto')
  expect(protocolFor('hermes', known, false)).toBe('hermes')
  expect(protocolFor('mine', known, false)).toBe('own:mine')
  expect(protocolFor('own:mine', known, false)).toBe('own:mine')
  expect(protocolFor('drawn', known, true)).toBe('drawn')
  expect(protocolFor('drawn', known, false)).toBeUndefined()
  for (const odd of ['nope', 'own:nope', '__proto__', 'constructor', ''])
    expect(protocolFor(odd, known, true)).toBeUndefined()
})
