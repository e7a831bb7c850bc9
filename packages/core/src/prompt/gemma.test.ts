import { expect, test } from 'vitest'
import { printCalls, printPrompt, printResult, protocols } from '../index.ts'
import { calls, tools } from '../../test/prompt-tools.ts'
import { gemmaDeclaration } from './gemma.ts'

const gemma4 = protocols.gemma4
const functiongemma = protocols.functiongemma

test('tools are declared with sorted keys and types in capitals', () => {
  expect(printPrompt(gemma4, tools.slice(0, 1))).toBe(
    '<|tool>declaration:ping{description:<|"|>Is it there? Très utile<|"|>,parameters:{properties:{host:{description:<|"|>A host\'s name<|"|>,type:<|"|>STRING<|"|>},Ports:{items:{type:<|"|>INTEGER<|"|>},type:<|"|>ARRAY<|"|>}},required:[<|"|>host<|"|>],type:<|"|>OBJECT<|"|>}}<tool|>',
  )
  expect(printPrompt(functiongemma, [{ name: 'now' }])).toBe(
    '<start_function_declaration>declaration:now{description:<escape><escape>}<end_function_declaration>',
  )
})

test('also declares members of objects and lists', () => {
  const parameters = {
    type: 'object',
    properties: {
      at: {
        type: 'object',
        properties: { x: { type: 'number', nullable: true } },
        required: ['x'],
      },
      how: { type: 'string', enum: ['a', 'b'] },
      rows: {
        type: 'array',
        items: {
          type: 'object',
          properties: { id: { type: ['string', 'null'] } },
          required: ['id'],
        },
      },
    },
  }
  expect(gemmaDeclaration({ name: 'f', description: 'F', parameters }, "'")).toBe(
    "declaration:f{description:'F',parameters:{properties:{" +
      "at:{properties:{x:{nullable:true,type:'NUMBER'}},required:['x'],type:'OBJECT'}," +
      "how:{enum:['a','b'],type:'STRING'}," +
      "rows:{items:{properties:{id:{type:['STRING','NULL']}},required:['id'],type:'OBJECT'},type:'ARRAY'}" +
      "},type:'OBJECT'}}",
  )
})

test('calls and results', () => {
  expect(printCalls(gemma4, calls)).toBe(
    '<|tool_call>call:ping{host:<|"|>là<|"|>,Ports:[80,443]}<tool_call|><|tool_call>call:now{}<tool_call|>',
  )
  expect(printResult(gemma4, { call: calls[0]!, output: '{"ms":3}' })).toBe(
    '<|tool_response>response:ping{value:<|"|>{"ms":3}<|"|>}<tool_response|>',
  )
})
