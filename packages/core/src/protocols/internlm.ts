import { gap, json, output, text, wire } from '../draw.ts'
import { jsonLines } from '../prompt/json-lines.ts'
import type { Protocol } from '../protocol.ts'

export const internlm: Protocol = {
  id: 'internlm',
  about: 'InternLM 2 and Intern-S1: JSON between marks',
  call: wire`<|action_start|><|plugin|>${gap}${json({ name: 'name', args: ['parameters', 'arguments'], encoded: true })}<|action_end|>`,
  variants: [
    wire`<|action_start|> <|plugin|>\n${json({ name: 'name', args: ['parameters', 'arguments'], encoded: true })}<|action_end|>`,
  ],
  reasoning: wire`<think>${text}</think>`,
  ignore: ['<|im_end|>'],
  result: wire`<tool_response>${output}</tool_response>`,
  prompt: jsonLines,
  models: [/intern(?:lm|-?s1)/i],
  examples: {
    'one call': {
      wire: '<|action_start|><|plugin|>{"name": "ping", "parameters": {}}<|action_end|>',
      calls: [['ping', {}]],
    },
  },
}
