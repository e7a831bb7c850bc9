import { calls, json, keywords, name, output, text, wire } from '../draw.ts'
import { jsonLines } from '../prompt/json-lines.ts'
import type { Protocol } from '../protocol.ts'

const call = wire`${name}(${keywords}`
const envelope = wire`${json({ name: 'name', args: ['arguments', 'parameters'], encoded: true })}`

export const lfm2: Protocol = {
  id: 'lfm2',
  about: 'LFM2: Python calls between marks',
  section: wire`<|tool_call_start|>[${calls({ separator: ', ' })}]<|tool_call_end|>`,
  call,
  variants: [
    wire`<|tool_call_start|>[${calls({ of: envelope, separator: ', ' })}]<|tool_call_end|>`,
    wire`<|tool_call_start|>${calls({ of: call, separator: ', ' })}<|tool_call_end|>`,
    wire`[${calls({ of: call, separator: ', ' })}]`,
  ],
  reasoning: wire`<think>${text}</think>`,
  ignore: ['<|im_end|>', '<|tool_call_end|>'],
  result: wire`<|tool_response_start|>${output}<|tool_response_end|>`,
  prompt: jsonLines,
  models: [/lfm-?2/i],
  examples: {
    'one call amid text': {
      wire: 'Checking.<|tool_call_start|>[get_weather(city="Paris")]<|tool_call_end|>',
      text: 'Checking.',
      calls: [['get_weather', { city: 'Paris' }]],
    },
  },
}
