import { args, each, json, key, name, output, text, value, wire } from '../draw.ts'
import { jsonLines } from '../prompt/json-lines.ts'
import type { Protocol } from '../protocol.ts'

const argument = wire`<arg_key>${key}</arg_key>\n<arg_value>${value({ untyped: 'json' })}</arg_value>`

export const glm: Protocol = {
  id: 'glm',
  about: 'GLM 4.5 to 5, Ling 3: key and value in tags of their own',
  call: wire`<tool_call>${name}\n${each(argument, { separator: '\n' })}\n</tool_call>`,
  variants: [
    wire`<tool_call>${name}\n${args}\n</tool_call>`,
    wire`<tool_call>\n${json({ name: 'name', args: ['arguments', 'parameters'], encoded: true })}\n</tool_call>`,
  ],
  reasoning: wire`<think>${text}</think>`,
  ignore: ['<|observation|>', '<|user|>', '<|assistant|>', '<|endoftext|>'],
  result: wire`<tool_response>\n${output}\n</tool_response>`,
  prompt: jsonLines,
  models: [/glm-?(?:4\.[5-9]|5)/i, /ling-?3/i],
  examples: {
    'two calls': {
      wire: '<think>hm</think><tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Paris</arg_value>\n<arg_key>days</arg_key>\n<arg_value>2</arg_value>\n</tool_call>\n<tool_call>ping\n\n</tool_call>',
      reasoning: 'hm',
      calls: [
        ['get_weather', { city: 'Paris', days: 2 }],
        ['ping', {}],
      ],
    },
  },
}
