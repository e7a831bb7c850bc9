import { calls, keywords, name, output, wire } from '../draw.ts'
import { jsonLines } from '../prompt/json-lines.ts'
import type { Protocol } from '../protocol.ts'

const call = wire`${name}(${keywords}`

export const pythonic: Protocol = {
  id: 'pythonic',
  about: 'Llama 3.2 and 4, ToolACE: the reply is a Python list of calls',
  section: wire`[${calls({ separator: ', ' })}]`,
  call,
  variants: [wire`<|python_start|>[${calls({ of: call, separator: ', ' })}]<|python_end|>`],
  weak: true,
  ignore: ['<|python_start|>', '<|python_end|>', '<|eot_id|>', '<|eot|>'],
  result: wire`<|start_header_id|>ipython<|end_header_id|>\n\n${output}`,
  prompt: jsonLines,
  models: [/llama-?(?:3\.2|4)/i, /toolace/i],
  examples: {
    'two calls': {
      wire: '[get_weather(city="Paris", days=2), ping()]',
      calls: [
        ['get_weather', { city: 'Paris', days: 2 }],
        ['ping', {}],
      ],
    },
  },
}
