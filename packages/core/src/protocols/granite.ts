import { calls, json, output, text, wire } from '../draw.ts'
import { jsonLines } from '../prompt/json-lines.ts'
import type { Protocol } from '../protocol.ts'

export const granite: Protocol = {
  id: 'granite',
  about: 'Granite 3: a JSON list behind a mark',
  section: wire`<|tool_call|>[${calls({ separator: ', ' })}]`,
  call: wire`${json({ name: 'name', args: ['arguments', 'parameters'], encoded: true })}`,
  variants: [
    wire`<tool_call>[${calls({ separator: ', ' })}]`,
    wire`[${calls({ separator: ', ' })}]`,
  ],
  reasoning: wire`<think>${text}</think>`,
  ignore: ['<|end_of_text|>'],
  result: wire`<tool_response>${output}</tool_response>`,
  prompt: jsonLines,
  models: [/granite-?3/i],
  examples: {
    'one call': { wire: '<|tool_call|>[{"name": "ping", "arguments": {}}]', calls: [['ping', {}]] },
  },
}
