import { dictionary, name, outputDictionary, results, text, wire } from '../draw.ts'
import { gemmaDeclaration } from '../prompt/gemma.ts'
import type { Examples, Family, Prompt, Protocol } from '../protocol.ts'

const QUOTE = '<|"|>'

/**
 * Differs: the template omits parameters named `type` or `description`. The template for
 * interleaved thinking prints a JSON result as a dictionary and misplaces a comma in lists.
 */
export const gemma4: Protocol<'gemma4'> = {
  id: 'gemma4',
  call: wire`<|tool_call>call:${name}${dictionary({ quote: QUOTE })}<tool_call|>`,
  separator: '',
  reasoning: [wire`<|channel>thought\n${text}<channel|>`, wire`<|channel>${text}<channel|>`],
  ignore: ['<tool_call|>', '<channel|>', '<|tool_response>', '<turn|>'],
  result: wire`<|tool_response>response:${name}${outputDictionary({ quote: QUOTE })}<tool_response|>`,
  results: wire`${results('')}`,
}

export const family: Family = {
  about: 'Gemma 4: a dictionary with its own quotes',
  models: [/gemma-?4/i],
}

export const prompt: Prompt = ({ tools }) =>
  tools.map((tool) => `<|tool>${gemmaDeclaration(tool, QUOTE)}<tool|>`).join('')

export const examples: Examples = {
  'one call': {
    wire: '<|tool_call>call:get_weather{city:<|"|>Paris<|"|>,days:2}<tool_call|>',
    calls: [['get_weather', { city: 'Paris', days: 2 }]],
  },
  'a string without its quotes': {
    wire: '<|tool_call>call:write_file{path:notes, 1.txt,content:one,\ntwo}<tool_call|>',
    calls: [['write_file', { path: 'notes, 1.txt', content: 'one,\ntwo' }]],
    repairs: ['unquoted-string'],
    variant: true,
  },
}
