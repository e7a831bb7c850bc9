import { calls, json, output, text, wire } from '../draw.ts'
import { jsonLines } from '../prompt/json-lines.ts'
import type { Protocol } from '../protocol.ts'

const envelope = json({ id: 'tool_call_id', name: 'tool_name', args: ['parameters', 'arguments'] })

export const cohere: Protocol = {
  id: 'cohere',
  about: 'Command R7B, Command A: a JSON list between marks',
  section: wire`<|START_ACTION|>[\n    ${calls({ separator: ',\n    ' })}\n]<|END_ACTION|>`,
  call: wire`${envelope}`,
  variants: [wire`<|START_ACTION|>${envelope}<|END_ACTION|>`],
  reasoning: wire`<|START_THINKING|>${text}<|END_THINKING|>`,
  ignore: [
    '<|START_RESPONSE|>',
    '<|END_RESPONSE|>',
    '<|START_TEXT|>',
    '<|END_TEXT|>',
    '<|END_OF_TURN_TOKEN|>',
  ],
  result: wire`<|START_TOOL_RESULT|>${output}<|END_TOOL_RESULT|>`,
  prompt: jsonLines,
  models: [/command-?(?:r7b|a)/i, /c4ai-command/i],
  examples: {
    'one call': {
      wire: '<|START_ACTION|>[\n    {"tool_call_id": "0", "tool_name": "ping", "parameters": {}}\n]<|END_ACTION|>',
      calls: [['ping', {}]],
      variant: true,
    },
  },
}
