import { args, calls, id, name, output, text, wire } from '../draw.ts'
import { jsonLines } from '../prompt/json-lines.ts'
import type { Protocol } from '../protocol.ts'

export const kimiK2: Protocol = {
  id: 'kimi-k2',
  about: 'Kimi K2: a section of calls, the name in the id',
  section: wire`<|tool_calls_section_begin|>${calls()}<|tool_calls_section_end|>`,
  call: wire`<|tool_call_begin|>functions.${name}:${id}<|tool_call_argument_begin|>${args}<|tool_call_end|>`,
  variants: [
    wire`<|tool_call_begin|>${name}:${id}<|tool_call_argument_begin|>${args}<|tool_call_end|>`,
  ],
  reasoning: wire`<think>${text}</think>`,
  ignore: ['<|im_end|>'],
  result: wire`## Return of functions.${name}:${id}\n${output}`,
  prompt: jsonLines,
  models: [/kimi-?k2/i],
  examples: {
    'two calls': {
      wire: '<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{"city": "Paris"}<|tool_call_end|><|tool_call_begin|>functions.ping:1<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>',
      calls: [
        ['get_weather', { city: 'Paris' }],
        ['ping', {}],
      ],
      variant: true,
    },
  },
}
