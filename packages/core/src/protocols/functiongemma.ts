import { dictionary, name, outputDictionary, results, wire } from '../draw.ts'
import { gemmaDeclaration } from '../prompt/gemma.ts'
import type { Examples, Family, Prompt, Protocol } from '../protocol.ts'

const QUOTE = '<escape>'

export const functiongemma: Protocol<'functiongemma'> = {
  id: 'functiongemma',
  call: wire`<start_function_call>call:${name}${dictionary({ quote: QUOTE })}<end_function_call>`,
  separator: '',
  ignore: ['<start_function_response>', '<end_of_turn>'],
  result: wire`<start_function_response>response:${name}${outputDictionary({ quote: QUOTE })}<end_function_response>`,
  results: wire`${results('')}`,
}

export const family: Family = {
  about: 'FunctionGemma: a dictionary with its own quotes',
  models: [/functiongemma/i],
}

export const prompt: Prompt = ({ tools }) =>
  tools
    .map((tool) => gemmaDeclaration(tool, QUOTE))
    .map((text) => `<start_function_declaration>${text}<end_function_declaration>`)
    .join('')

export const examples: Examples = {
  'one call': {
    wire: '<start_function_call>call:get_weather{city:<escape>Paris<escape>}<end_function_call>',
    calls: [['get_weather', { city: 'Paris' }]],
  },
}
