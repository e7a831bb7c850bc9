import { dictionary, name, output, wire } from '../draw.ts'
import { jsonLines } from '../prompt/json-lines.ts'
import type { Protocol } from '../protocol.ts'

export const functiongemma: Protocol = {
  id: 'functiongemma',
  about: 'FunctionGemma: a dictionary with its own quotes',
  call: wire`<start_function_call>call:${name}${dictionary({ quote: '<escape>' })}<end_function_call>`,
  result: wire`<start_function_response>response:${name}{value:<escape>${output}<escape>}<end_function_response>`,
  prompt: jsonLines,
  models: [/functiongemma/i],
  examples: {
    'one call': {
      wire: '<start_function_call>call:get_weather{city:<escape>Paris<escape>}<end_function_call>',
      calls: [['get_weather', { city: 'Paris' }]],
    },
  },
}
