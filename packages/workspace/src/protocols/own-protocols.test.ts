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

test('a prompt is inside a protocol, beside it, or that of the protocol it is made of', () => {
  expect(prompted({ default: { ...drawn, prompt: () => 'Inside.' } })).toEqual(['Inside.'])
  expect(prompted({ default: drawn, prompt: () => 'Beside.' })).toEqual(['Beside.'])
  const mine = { ...hermes, id: 'mine' }
  expect(prompted({ default: mine })).toEqual([printPrompt('hermes', [])])
})

test('a family is inside a protocol, beside it, or that of the protocol it is made of', () => {
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

test('without a prompt, a protocol is only read', () => {
  expect(protocolsIn({ default: drawn }, 'arrow.mjs')).toHaveLength(1)
  expect(() => prompted({ default: drawn })).toThrow('has no prompt')
})
