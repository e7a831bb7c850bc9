import { json, output, wire } from '../draw.ts'
import { jsonLines } from '../prompt/json-lines.ts'
import type { Protocol } from '../protocol.ts'

export const granite20b: Protocol = {
  id: 'granite-20b',
  about: 'Granite 20B function calling: JSON behind a mark',
  call: wire`<function_call>${json({ name: 'name', args: ['arguments', 'parameters'], encoded: true })}`,
  result: wire`<tool_response>${output}</tool_response>`,
  prompt: jsonLines,
  models: [/granite-20b/i],
  examples: {
    'one call': { wire: '<function_call>{"name": "ping", "arguments": {}}', calls: [['ping', {}]] },
  },
}
