import { calls, envelope, gap, output, wire } from '../draw.ts'
import { jsonLines } from '../prompt/json-lines.ts'
import type { Examples, Family, Prompt, Protocol } from '../protocol.ts'

/**
 * The model writes Python dictionaries as often as JSON. Servers strip the mark, so the bare list is read too. Its template is
 * unknown: the prompt and the results are our own.
 */
export const sarashina: Protocol<'sarashina'> = {
  id: 'sarashina',
  section: wire`<|tool_calls|>${gap}[${calls({ separator: ', ' })}]`,
  call: wire`${envelope}`,
  variants: [wire`[${calls({ separator: ', ' })}]`],
  result: wire`<tool_response>${output}</tool_response>`,
}

export const family: Family = {
  about: 'Sarashina: a Python list of dictionaries',
  models: [/sarashina/i],
}

export const prompt: Prompt = jsonLines

export const examples: Examples = {
  'one call': {
    wire: '<|tool_calls|>[{"name": "ping", "arguments": {}}]',
    calls: [['ping', {}]],
  },
  'a dictionary': {
    wire: "<|tool_calls|>[{'name': 'get_weather', 'arguments': {'city': 'Paris'}}]",
    calls: [['get_weather', { city: 'Paris' }]],
    repairs: ['single-quotes'],
    variant: true,
  },
}
