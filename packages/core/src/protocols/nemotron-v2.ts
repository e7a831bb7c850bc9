import { calls, json, output, text, wire } from '../draw.ts'
import { jsonLines } from '../prompt/json-lines.ts'
import type { Protocol } from '../protocol.ts'

export const nemotronV2: Protocol = {
  id: 'nemotron-v2',
  about: 'Nemotron Nano 2: a JSON list between tags',
  section: wire`<TOOLCALL>[${calls({ separator: ', ' })}]</TOOLCALL>`,
  call: wire`${json({ name: 'name', args: ['arguments', 'parameters'], encoded: true })}`,
  reasoning: wire`<think>${text}</think>`,
  result: wire`<tool_response>${output}</tool_response>`,
  prompt: jsonLines,
  models: [/nemotron.*(?:nano-?v?2|9b-v2)/i],
  examples: {
    'one call': {
      wire: '<TOOLCALL>[{"name": "ping", "arguments": {}}]</TOOLCALL>',
      calls: [['ping', {}]],
    },
  },
}
