import { calls, json, output, wire } from '../draw.ts'
import { jsonLines } from '../prompt/json-lines.ts'
import type { Protocol } from '../protocol.ts'

export const sarashina: Protocol = {
  id: 'sarashina',
  about: 'Sarashina: a Python list of dictionaries',
  section: wire`<|tool_calls|>[${calls({ separator: ', ' })}]`,
  call: wire`${json({ name: 'name', args: ['arguments', 'parameters'], encoded: true })}`,
  variants: [wire`[${calls({ separator: ', ' })}]`],
  result: wire`<tool_response>${output}</tool_response>`,
  prompt: jsonLines,
  models: [/sarashina/i],
  examples: {
    'one call': {
      wire: '<|tool_calls|>[{"name": "ping", "arguments": {}}]',
      calls: [['ping', {}]],
    },
  },
}
