import { calls, keyed, output, text, wire } from '../draw.ts'
import { jsonLines } from '../prompt/json-lines.ts'
import type { Protocol } from '../protocol.ts'

export const apertus: Protocol = {
  id: 'apertus',
  about: 'Apertus: a JSON list whose keys are the names',
  section: wire`<|tools_prefix|>[${calls({ separator: ', ' })}]<|tools_suffix|>`,
  call: wire`${keyed}`,
  reasoning: wire`<|inner_prefix|>${text}<|inner_suffix|>`,
  ignore: ['<|assistant_end|>'],
  result: wire`<|tool_output|>${output}`,
  prompt: jsonLines,
  models: [/apertus/i],
  examples: {
    'two calls': {
      wire: '<|tools_prefix|>[{"get_weather": {"city": "Paris"}}, {"ping": {}}]<|tools_suffix|>',
      calls: [
        ['get_weather', { city: 'Paris' }],
        ['ping', {}],
      ],
    },
  },
}
