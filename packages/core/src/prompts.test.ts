import { expect, test } from 'vitest'
import { type Protocol, printPrompt, protocols } from './index.ts'
import type { Prompt } from './protocol.ts'
import { name, output, wire } from './draw.ts'
import { promptOf } from './prompts.ts'
import { hermes } from './protocols/hermes.ts'
import { mistralSmall } from './protocols/mistral-small.ts'

const tools = [{ name: 'ping' }]

test.each(Object.keys(protocols))('%s has the prompt that its file exports', async (id) => {
  const file = (await import(`./protocols/${id}.ts`)) as { prompt: Prompt }
  expect(protocols[id]!.prompt).toBeUndefined()
  expect(promptOf(protocols[id]!)).toBe(file.prompt)
  expect(printPrompt(id as 'hermes', tools)).toContain('ping')
})

test.each<[string, Protocol, Protocol]>([
  ['another id', { ...hermes, id: 'mine' }, hermes],
  ['another call', { ...hermes, call: wire`=> ${name}` }, hermes],
  ['a dialect with another id', { ...mistralSmall, id: 'mine' }, mistralSmall],
])('a protocol made of a built-in one has its prompt: %s', (_what, own, builtIn) => {
  expect(promptOf(own)).toBe(promptOf(builtIn))
})

test('a prompt of its own comes first', () => {
  expect(printPrompt({ ...hermes, prompt: () => 'Mine.' }, tools)).toBe('Mine.')
})

test('without any, the error names the protocol and what is missing', () => {
  const own: Protocol = { id: 'own', about: 'Ours', call: wire`=>`, result: wire`${output}` }
  expect(promptOf(own)).toBeUndefined()
  expect(() => printPrompt(own, tools)).toThrow(
    new TypeError('Expected protocol "own" to have a prompt: add `prompt` to it.'),
  )
})
