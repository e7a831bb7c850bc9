import { calls, json, output, wire } from '../draw.ts'
import { jsonLines } from '../prompt/json-lines.ts'
import type { Protocol } from '../protocol.ts'

export const genericJson: Protocol = {
  id: 'generic-json',
  about: 'Any model, told by the prompt to answer in JSON',
  call: wire`{"tool_call": ${json({ name: 'name', args: ['arguments', 'parameters'], encoded: true })}}`,
  variants: [
    wire`{"tool_calls": [${calls({ of: wire`${json({ name: 'name', args: ['arguments', 'parameters'], encoded: true })}`, separator: ', ' })}]}`,
  ],
  result: wire`<tool_response>${output}</tool_response>`,
  prompt: jsonLines,
  models: [],
  examples: {
    'one call': { wire: '{"tool_call": {"name": "ping", "arguments": {}}}', calls: [['ping', {}]] },
  },
}
