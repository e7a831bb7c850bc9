import { expect, test } from 'vitest'
import type { RunSetup } from './history.ts'
import { describeChanges } from './setup-changes.ts'

const setup: RunSetup = { model: 'm', protocol: 'hermes', tools: [], messages: [] }

const changesOfTools = (before: unknown, now: unknown): string[] =>
  describeChanges({ ...setup, tools: [before] }, { ...setup, tools: [now] })

const CHANGED = ['the tools have changed: look takes other arguments']

const tool = (parameters: object, description = 'Looks something up'): object => ({
  name: 'look',
  description,
  parameters,
})

test('the description of a tool may be reworded', () => {
  const parameters = { type: 'object' }
  expect(changesOfTools(tool(parameters), tool(parameters, 'Find something'))).toEqual([])
  expect(changesOfTools(tool(parameters), { name: 'look', parameters })).toEqual([])
})

test.each<[string, (schema: object) => object]>([
  ['a schema', (schema) => schema],
  ['a parameter', (schema) => ({ properties: { key: schema } })],
  ['a parameter called description', (schema) => ({ properties: { description: schema } })],
  ['the items of a list', (schema) => ({ properties: { keys: { items: schema } } })],
  ['a branch', (schema) => ({ anyOf: [{ type: 'null' }, schema] })],
  ['a definition', (schema) => ({ $defs: { properties: schema } })],
  ['additional properties', (schema) => ({ additionalProperties: schema })],
])('the description of %s can be reworded, but its type counts', (_, around) => {
  const before = tool(around({ type: 'string', description: 'A key' }))
  expect(changesOfTools(before, tool(around({ type: 'string', description: 'Any' })))).toEqual([])
  expect(changesOfTools(before, tool(around({ type: 'string' })))).toEqual([])
  expect(changesOfTools(before, tool(around({ type: 'number', description: 'A key' })))).toEqual(
    CHANGED,
  )
})

test('detects a change to a parameter named description', () => {
  const description = { type: 'string' }
  expect(changesOfTools(tool({ properties: { description } }), tool({ properties: {} }))).toEqual(
    CHANGED,
  )
  expect(changesOfTools(tool({ required: ['description'] }), tool({ required: [] }))).toEqual(
    CHANGED,
  )
})

test.each(['default', 'const', 'enum'])(
  'detects a change to data in %s, with any keys',
  (keyword) => {
    const data = (text: string): object => {
      const value = { description: text }
      return tool({ [keyword]: keyword === 'enum' ? [value] : value })
    }
    expect(changesOfTools(data('one'), data('one'))).toEqual([])
    expect(changesOfTools(data('one'), data('two'))).toEqual(CHANGED)
  },
)

test('detects a change to the name of a tool', () => {
  expect(changesOfTools({ name: 'look' }, { name: 'find' })).toEqual([
    'the tools have changed: find is new, look is gone',
  ])
})

test('ignores the order of the tools, and summarizes many changes', () => {
  const [one, other] = [{ name: 'one' }, { name: 'other' }]
  const both = { ...setup, tools: [one, other] }
  expect(describeChanges(both, { ...setup, tools: [other, one] })).toEqual([])
  const many = Array.from({ length: 9 }, (_, index) => ({ name: `tool${index}` }))
  expect(describeChanges(setup, { ...setup, tools: many })).toEqual([
    'the tools have changed: tool0 is new, tool1 is new, tool2 is new, tool3 is new, tool4 is new, and 4 more',
  ])
})

test('detects a change of the version', () => {
  const old = { ...setup, version: '1.0' }
  expect(describeChanges(old, old)).toEqual([])
  expect(describeChanges(setup, old)).toEqual([])
  expect(describeChanges(old, { ...setup, version: '2.0' })).toEqual([
    'the version was 1.0 and is 2.0',
  ])
  expect(describeChanges(old, setup)).toEqual(['the version was 1.0 and is not known'])
})
