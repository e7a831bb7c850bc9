import { calls, keywords, name, output, text, wire } from '../draw.ts'
import { jsonLines } from '../prompt/json-lines.ts'
import type { Protocol } from '../protocol.ts'

export const olmo3: Protocol = {
  id: 'olmo3',
  about: 'OLMo 3: one Python call a line',
  section: wire`<function_calls>${calls({ separator: '\n' })}</function_calls>`,
  call: wire`${name}(${keywords}`,
  variants: [wire`${name}(${keywords}`],
  reasoning: wire`<think>${text}</think>`,
  ignore: ['<|im_end|>'],
  result: wire`<function_results>${output}</function_results>`,
  prompt: jsonLines,
  models: [/olmo-?3/i],
  examples: {
    'two calls': {
      wire: '<function_calls>get_weather(city="Paris", days=2)\nping()</function_calls>',
      calls: [
        ['get_weather', { city: 'Paris', days: 2 }],
        ['ping', {}],
      ],
    },
  },
}
