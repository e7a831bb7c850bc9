import { expect, test } from 'vitest'
import { familyOf, printPrompt } from '@toolglot/core'
import { args, name, output, wire } from '@toolglot/core/draw'
import { hermes } from '@toolglot/core/protocols/hermes'
import { protocolsIn } from './own-protocols.ts'

const drawn = {
  id: 'arrow',
  about: 'Ours',
  call: wire`=> ${name} ${args} <=`,
  result: wire`<result>${output}</result>`,
}
const prompted = (exported: Record<string, unknown>): string[] =>
  protocolsIn(exported, 'arrow.mjs').map(({ protocol }) => printPrompt(protocol, []))

test('a prompt can be part of a protocol, a separate export, or come from the original protocol', () => {
  expect(prompted({ default: { ...drawn, prompt: () => 'Inside.' } })).toEqual(['Inside.'])
  expect(prompted({ default: drawn, prompt: () => 'Beside.' })).toEqual(['Beside.'])
  const mine = { ...hermes, id: 'mine' }
  expect(prompted({ default: mine })).toEqual([printPrompt('hermes', [])])
})

test('a family can be part of a protocol, a separate export, or come from the original protocol', () => {
  const { about: _, ...unsaid } = drawn
  const prompt = (): string => ''
  const abouts = (exported: Record<string, unknown>): string[] =>
    protocolsIn({ prompt, ...exported }, 'arrow.mjs').map(
      ({ protocol }) => familyOf(protocol).about,
    )
  expect(abouts({ default: drawn })).toEqual(['Ours'])
  expect(abouts({ default: unsaid, family: { about: 'Beside' } })).toEqual(['Beside'])
  expect(abouts({ default: { ...hermes, id: 'mine' } })).toEqual([familyOf('hermes').about])
  expect(abouts({ default: unsaid })).toEqual([''])
})

test('a protocol without a prompt is only read', () => {
  expect(protocolsIn({ default: drawn }, 'arrow.mjs')).toHaveLength(1)
  expect(() => prompted({ default: drawn })).toThrow('has no prompt')
})
