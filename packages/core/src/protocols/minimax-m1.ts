import { calls, json, output, text, wire } from '../draw.ts'
import { jsonLines } from '../prompt/json-lines.ts'
import type { Protocol } from '../protocol.ts'

export const minimaxM1: Protocol = {
  id: 'minimax-m1',
  about: 'MiniMax M1: one JSON object a line',
  section: wire`<tool_calls>\n${calls({ separator: '\n' })}\n</tool_calls>`,
  call: wire`${json({ name: 'name', args: ['arguments', 'parameters'], encoded: true })}`,
  reasoning: wire`<think>\n${text}\n</think>`,
  result: wire`<tool_response>${output}</tool_response>`,
  prompt: jsonLines,
  models: [/minimax-?m1/i],
  examples: {
    'two calls': {
      wire: '<tool_calls>\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n{"name": "ping", "arguments": {}}\n</tool_calls>',
      calls: [
        ['get_weather', { city: 'Paris' }],
        ['ping', {}],
      ],
    },
  },
}
