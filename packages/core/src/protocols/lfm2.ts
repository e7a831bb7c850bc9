import { calls, envelope, gap, name, output, reprKeywords, text, wire } from '../draw.ts'
import { spaced } from '../print/spaced.ts'
import { openAiTool } from '../prompt/tools.ts'
import type { Examples, Family, Prompt, Protocol } from '../protocol.ts'

const call = wire`${name}(${reprKeywords}`
const object = wire`${envelope}`

/**
 * Differs: the template drops calls from the history. Here they are printed in the format of
 * LFM2.5.
 */
export const lfm2: Protocol<'lfm2'> = {
  id: 'lfm2',
  section: wire`<|tool_call_start|>${gap}[${calls({ separator: ', ' })}]${gap}<|tool_call_end|>`,
  call,
  variants: [
    wire`<|tool_call_start|>${gap}[${calls({ of: object, separator: ', ' })}]${gap}<|tool_call_end|>`,
    wire`<|tool_call_start|>${calls({ of: object, separator: ', ' })}<|tool_call_end|>`,
    wire`<|tool_call_start|>${calls({ of: call, separator: ', ' })}<|tool_call_end|>`,
    wire`[${calls({ of: call, separator: ', ' })}]`,
  ],
  reasoning: wire`<think>${text}</think>`,
  ignore: ['<|im_end|>', '<|tool_call_start|>', '<|tool_call_end|>'],
  result: wire`<|tool_response_start|>${output}<|tool_response_end|>`,
}

export const family: Family = {
  about: 'LFM2: Python calls between marks',
  models: [/lfm-?2(?![.p]5)/i],
  template: '<|tool_list_start|>',
}

export const prompt: Prompt = ({ tools }) =>
  `List of tools: <|tool_list_start|>${spaced(tools.map(openAiTool))}<|tool_list_end|>`

export const examples: Examples = {
  'one call amid text': {
    wire: "Checking.<|tool_call_start|>[get_weather(city='Paris')]<|tool_call_end|>",
    text: 'Checking.',
    calls: [['get_weather', { city: 'Paris' }]],
  },
  'quotes in quotes': {
    wire: "<|tool_call_start|>[bash(command='grep -c 'a b' notes.txt')]<|tool_call_end|>",
    calls: [['bash', { command: "grep -c 'a b' notes.txt" }]],
    repairs: ['unescaped-quote'],
    variant: true,
  },
}
