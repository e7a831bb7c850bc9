import { calls, gap, json, output, text, wire } from '../draw.ts'
import { jsonLines } from '../prompt/json-lines.ts'
import type { Protocol } from '../protocol.ts'

export const xlam: Protocol = {
  id: 'xlam',
  about: 'xLAM: the reply is a JSON list',
  section: wire`[${calls({ separator: ', ' })}]`,
  call: wire`${json({ name: 'name', args: ['arguments', 'parameters'], encoded: true })}`,
  variants: [
    wire`[TOOL_CALLS]${gap}[${calls({ separator: ', ' })}]`,
    wire`<tool_call>[${calls({ separator: ', ' })}]</tool_call>`,
  ],
  reasoning: wire`<think>${text}</think>`,
  result: wire`<tool_response>${output}</tool_response>`,
  prompt: jsonLines,
  models: [/xlam/i],
  examples: { 'one call': { wire: '[{"name": "ping", "arguments": {}}]', calls: [['ping', {}]] } },
}
