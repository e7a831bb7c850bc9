import { args, calls, id, name, output, text, wire } from '../draw.ts'
import { jsonLines } from '../prompt/json-lines.ts'
import type { Protocol } from '../protocol.ts'

export const solar: Protocol = {
  id: 'solar',
  about: 'Solar Open: id, name and JSON, each behind a mark',
  section: wire`<|tool_calls|>${calls({})}<|calls|>`,
  call: wire`<|tool_call:begin|>${id}<|tool_call:name|>${name}<|tool_call:args|>${args}<|tool_call:end|>`,
  reasoning: wire`<|think|>${text}<|end|>`,
  ignore: ['<|begin|>assistant', '<|content|>', '<|end|>', '<|flush|>'],
  result: wire`<tool_response>${output}</tool_response>`,
  prompt: jsonLines,
  models: [/solar-?open/i],
  examples: {
    'one call': {
      wire: '<|tool_calls|><|tool_call:begin|>a<|tool_call:name|>ping<|tool_call:args|>{}<|tool_call:end|><|calls|>',
      calls: [['ping', {}]],
      variant: true,
    },
  },
}
