import { describe, expect, test } from 'vitest'
import type { ToolDefinition } from '../protocol.ts'
import { functionType, indentedMembers, plainMembers, remarkedMembers } from './typescript.ts'

const book: ToolDefinition = {
  name: 'book',
  description: 'Book a table',
  parameters: {
    type: 'object',
    properties: {
      place: { type: 'string', description: 'Where' },
      guests: { type: 'integer', default: 2, minimum: 1 },
      seat: { type: 'string', enum: ['inside', 'outside'] },
      vegan: { type: 'boolean', default: false },
      times: { type: 'array', items: { type: 'string' } },
      contact: {
        type: 'object',
        properties: {
          phone: { type: 'string' },
          lines: { type: 'array', items: { type: 'number' } },
        },
        required: ['phone'],
      },
    },
    required: ['place', 'times'],
  },
}

describe('a tool as a TypeScript type', () => {
  test('in the style of gpt-oss', () => {
    expect(functionType(book, plainMembers(','))).toBe(`// Book a table
type book = (_: {
// Where
place: string,
guests?: number, // default: 2,
seat?: "inside" | "outside",
vegan?: boolean, // default: false,
times: string[],
contact?: {
phone: \n                string, lines?: \n                number[]},
}) => any;`)
  })

  test('in the style of Apertus: no comma after the last parameter', () => {
    expect(functionType(book, plainMembers(''))).toContain('number[]}\n}) => any;')
  })

  test('in the style of GigaChat', () => {
    expect(functionType(book, indentedMembers, '  ')).toBe(`// Book a table
type book = (_: {
  // Where
  place: string,
  // minimum: 1
  guests?: number, // default: 2
  seat?: "inside" | "outside",
  vegan?: boolean, // default: False
  times: string[],
  contact?: {
    phone: string,
    lines?: number[],
  },
}) => any;`)
  })

  test('in the style of Functionary', () => {
    expect(functionType(book, remarkedMembers)).toBe(`// Book a table
type book = (_: {
// Where.
place: string,
// Default=2. Minimum=1
guests?: number,
seat?: "inside" | "outside",
// Default=False.
vegan?: boolean,
times: string[],
contact?: {
    phone: string,
    lines?: number[],
},
}) => any;`)
  })

  test('a tool without parameters', () => {
    for (const members of [plainMembers(','), indentedMembers, remarkedMembers]) {
      expect(functionType({ name: 'now' }, members)).toBe('type now = () => any;')
    }
  })
})
