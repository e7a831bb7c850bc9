import { json, output, text, wire } from '../draw.ts'
import { jsonLines } from '../prompt/json-lines.ts'
import type { Protocol } from '../protocol.ts'

export const inkling: Protocol = {
  id: 'inkling',
  about: 'Inkling: typed blocks',
  call: wire`<|content_invoke_tool_json|>${json({ name: 'name', args: ['args', 'arguments'], encoded: true })}<|end_message|>`,
  reasoning: wire`<|content_thinking|>${text}<|end_message|>`,
  ignore: [
    '<|message_model|>',
    '<|content_text|>',
    '<|end_message|>',
    '<|content_model_end_sampling|>',
  ],
  result: wire`<tool_response>${output}</tool_response>`,
  prompt: jsonLines,
  models: [/inkling/i],
  examples: {
    'one call': {
      wire: '<|content_invoke_tool_json|>{"name": "ping", "args": {}}<|end_message|>',
      calls: [['ping', {}]],
    },
  },
}
