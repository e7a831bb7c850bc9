import { calls, json, output, wire } from '../draw.ts'
import { jsonLines } from '../prompt/json-lines.ts'
import type { Protocol } from '../protocol.ts'

export const apriel: Protocol = {
  id: 'apriel',
  about: 'Apriel: a JSON list between tags',
  section: wire`<tool_calls>[${calls({ separator: ', ' })}]</tool_calls>`,
  call: wire`${json({ name: 'name', args: ['arguments', 'parameters'], encoded: true })}`,
  ignore: ['[BEGIN FINAL RESPONSE]', '[END FINAL RESPONSE]', '<|end|>'],
  result: wire`<tool_response>${output}</tool_response>`,
  prompt: jsonLines,
  models: [/apriel/i],
  examples: {
    'one call': {
      wire: '<tool_calls>[{"name": "ping", "arguments": {}}]</tool_calls>',
      calls: [['ping', {}]],
    },
  },
}
