import { dictionary, name, output, text, wire } from '../draw.ts'
import { jsonLines } from '../prompt/json-lines.ts'
import type { Protocol } from '../protocol.ts'

export const gemma4: Protocol = {
  id: 'gemma4',
  about: 'Gemma 4: a dictionary with its own quotes',
  call: wire`<|tool_call>call:${name}${dictionary({ quote: '<|"|>' })}<tool_call|>`,
  reasoning: wire`<|channel>thought\n${text}<channel|>`,
  ignore: ['<tool_call|>', '<channel|>', '<|tool_response>', '<turn|>'],
  result: wire`<|tool_response>response:${name}{value:${output}}<tool_response|>`,
  prompt: jsonLines,
  models: [/gemma-?4/i],
  examples: {
    'one call': {
      wire: '<|tool_call>call:get_weather{city:<|"|>Paris<|"|>,days:2}<tool_call|>',
      calls: [['get_weather', { city: 'Paris', days: 2 }]],
    },
  },
}
