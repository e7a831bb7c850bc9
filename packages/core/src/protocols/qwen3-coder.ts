import { args, each, json, key, name, output, text, value, wire } from '../draw.ts'
import { jsonLines } from '../prompt/json-lines.ts'
import type { Protocol } from '../protocol.ts'

const argument = [
  wire`<parameter=${key}>\n${value()}\n</parameter>`,
  wire`<parameter name="${key}">\n${value()}\n</parameter>`,
  wire`<parameter="${key}">\n${value()}\n</parameter>`,
]
const called = wire`<function=${name}>\n${each(argument, { separator: '\n' })}\n</function>`
const named = wire`<function name="${name}">\n${each(argument, { separator: '\n' })}\n</function>`
const quoted = wire`<function="${name}">\n${each(argument, { separator: '\n' })}\n</function>`

export const qwen3Coder: Protocol = {
  id: 'qwen3-coder',
  about:
    'Qwen3-Coder, Qwen 3.5, Nemotron 3, MiMo, Step 3.5: a tag per argument, strings as they are',
  call: ['<tool_call>\n', ...called, '\n</tool_call>'],
  variants: [
    called,
    ['<tool_call>\n', ...named, '\n</tool_call>'],
    named,
    ['<tool_call>\n', ...quoted, '\n</tool_call>'],
    wire`<tool_call>\n${json({ name: 'name', args: ['arguments', 'parameters'], encoded: true })}\n</tool_call>`,
    wire`<tool_call>\n<function=${name}>\n${args}\n</function>\n</tool_call>`,
    wire`<function=${name}>\n${args}\n</function>`,
  ],
  reasoning: wire`<think>\n${text}\n</think>`,
  ignore: ['<|im_end|>'],
  result: wire`<tool_response>\n${output}\n</tool_response>`,
  prompt: jsonLines,
  models: [/qwen-?3.*coder/i, /qwen-?3\.[5-9]/i, /nemotron-?3/i, /mimo/i, /step-?3\.5/i],
  examples: {
    'a value keeps its own lines': {
      wire: '<tool_call>\n<function=write_file>\n<parameter=path>\n12\n</parameter>\n<parameter=content>\n  if a < b:\n\n    pass\n</parameter>\n</function>\n</tool_call>',
      calls: [['write_file', { path: '12', content: '  if a < b:\n\n    pass' }]],
    },
  },
}
