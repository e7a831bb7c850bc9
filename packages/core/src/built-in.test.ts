import { expect, test } from 'vitest'
import { familyOf, type Protocol, printPrompt, protocols } from './index.ts'
import type { Family, Prompt } from './protocol.ts'
import { name, output, wire } from './draw.ts'
import { promptOf } from './prompts.ts'
import { hermes } from './protocols/hermes.ts'

const tools = [{ name: 'ping' }]
const ids = Object.keys(protocols)
const own: Protocol = { id: 'own', call: wire`=>`, result: wire`${output}` }

test.each(ids)('%s has the prompt and the family that its file exports', async (id) => {
  const file = (await import(`./protocols/${id}.ts`)) as { prompt: Prompt; family: Family }
  const protocol = protocols[id]!
  expect(protocol).not.toHaveProperty('prompt')
  expect(protocol).not.toHaveProperty('about')
  expect(promptOf(protocol)).toBe(file.prompt)
  expect(familyOf(protocol)).toEqual(file.family)
  expect(familyOf(id as 'hermes')).toEqual(file.family)
  expect(printPrompt(id as 'hermes', tools)).toContain('ping')
})

test.each(ids)('a protocol derived from %s has its prompt and its family', (id) => {
  const mine = { ...protocols[id]!, id: 'mine' }
  expect(promptOf(mine)).toBe(promptOf(protocols[id]!))
  expect(familyOf(mine)).toEqual(familyOf(protocols[id]!))
})

test('a derived protocol may have a different call', () => {
  const mine: Protocol = { ...hermes, call: wire`=> ${name}` }
  expect(promptOf(mine)).toBe(promptOf(hermes))
  expect(familyOf(mine)).toEqual(familyOf(hermes))
})

test("a protocol's own parts take precedence", () => {
  const mine: Protocol = { ...hermes, prompt: () => 'Mine.', about: 'Mine', template: 'mine' }
  expect(printPrompt(mine, tools)).toBe('Mine.')
  expect(familyOf(mine)).toEqual({ ...familyOf(hermes), about: 'Mine', template: 'mine' })
  expect(familyOf({ ...own, models: [/own/] })).toEqual({ about: '', models: [/own/] })
  expect(familyOf(own)).toEqual({ about: '' })
})

test("without a prompt, the error contains the protocol's name", () => {
  expect(promptOf(own)).toBeUndefined()
  expect(() => printPrompt(own, tools)).toThrow(new TypeError('The protocol "own" has no prompt.'))
})
