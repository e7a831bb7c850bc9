import { expect, test } from 'vitest'
import { printPrompt } from '@toolglot/core'
import { args, name, output, wire } from '@toolglot/core/draw'
import { hermes } from '@toolglot/core/protocols/hermes'
import { protocolsIn } from './protocols-in.ts'

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

test('without any, the file is refused', () => {
  expect(() => prompted({ default: drawn })).toThrow('expected prompt to be a function')
})
