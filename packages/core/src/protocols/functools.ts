import { calls, json, output, wire } from '../draw.ts'
import { jsonLines } from '../prompt/json-lines.ts'
import type { Protocol } from '../protocol.ts'

export const functools: Protocol = {
  id: 'functools',
  about: 'Phi-4 mini, FireFunction 2: a JSON list behind a word',
  section: wire`functools[${calls({ separator: ', ' })}]`,
  call: wire`${json({ name: 'name', args: ['arguments', 'parameters'], encoded: true })}`,
  variants: [wire`<|tool_call|>[${calls({ separator: ', ' })}]<|/tool_call|>`],
  ignore: ['<|end|>', '<|eot_id|>'],
  result: wire`<tool_response>${output}</tool_response>`,
  prompt: jsonLines,
  models: [/phi-?4-mini/i, /firefunction/i],
  examples: {
    'one call': { wire: 'functools[{"name": "ping", "arguments": {}}]', calls: [['ping', {}]] },
  },
}
