import { args, calls, gap, index, name, output, text, wire } from '../draw.ts'
import { spaced } from '../print/spaced.ts'
import { openAiTool } from '../prompt/tools.ts'
import type { Examples, Family, Prompt, Protocol } from '../protocol.ts'

/** Follows K2 Instruct, K2 Thinking and K2.5. Differs: the first template of K2 labels results with the caller's id. */
export const kimiK2: Protocol<'kimi-k2'> = {
  id: 'kimi-k2',
  section: wire`<|tool_calls_section_begin|>${calls()}<|tool_calls_section_end|>`,
  call: wire`<|tool_call_begin|>${gap}functions.${name}:${index()}<|tool_call_argument_begin|>${args}<|tool_call_end|>`,
  variants: [
    wire`<|tool_call_begin|>${name}:${index()}<|tool_call_argument_begin|>${args}<|tool_call_end|>`,
  ],
  general: [
    wire`<|tool_call_begin|>${index({ named: true })}<|tool_call_argument_begin|>${args}<|tool_call_end|>`,
  ],
  reasoning: wire`<think>${text}</think>`,
  ignore: ['<|im_end|>', '<|tool_calls_section_end|>'],
  result: wire`## Return of functions.${name}:${index()}\n${output}`,
}

export const family: Family = {
  about: 'Kimi K2, K2 Thinking, K2.5, Kimi Linear: a section of calls, the name in the id',
  models: [/kimi-?(?:k2|linear)/i],
}

export const prompt: Prompt = ({ tools }) => spaced(tools.map(openAiTool))

export const examples: Examples = {
  'two calls': {
    wire: '<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{"city": "Paris"}<|tool_call_end|><|tool_call_begin|>functions.ping:1<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>',
    calls: [
      ['get_weather', { city: 'Paris' }],
      ['ping', {}],
    ],
  },
  'space in the marks': {
    wire: '<|tool_calls_section_begin|>\n<|tool_call_begin|> functions.ping:0 <|tool_call_argument_begin|> {} <|tool_call_end|>\n<|tool_calls_section_end|>',
    calls: [['ping', {}]],
    variant: true,
  },
}
