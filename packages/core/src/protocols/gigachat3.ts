import { json, output, wire } from '../draw.ts'
import { jsonLines } from '../prompt/json-lines.ts'
import type { Protocol } from '../protocol.ts'

export const gigachat3: Protocol = {
  id: 'gigachat3',
  about: 'GigaChat 3: JSON behind a mark',
  call: wire`<|function_call|>${json({ name: 'name', args: ['arguments', 'parameters'], encoded: true })}`,
  variants: [
    wire`<|message_sep|>\n\nfunction call<|role_sep|>\n${json({ name: 'name', args: ['arguments', 'parameters'], encoded: true })}`,
  ],
  ignore: ['</s>'],
  result: wire`<tool_response>${output}</tool_response>`,
  prompt: jsonLines,
  models: [/gigachat-?3/i],
  examples: {
    'one call': {
      wire: '<|function_call|>{"name": "ping", "arguments": {}}',
      calls: [['ping', {}]],
    },
  },
}
