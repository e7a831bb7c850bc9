import { each, key, name, output, text, value, wire } from '../draw.ts'
import { jsonLines } from '../prompt/json-lines.ts'
import type { Protocol } from '../protocol.ts'

const argument = [
  wire`<param name="${key}">${value()}</param>`,
  wire`<param name="${key}"><![CDATA[${value({ anything: true })}]]></param>`,
]

export const minicpm5: Protocol = {
  id: 'minicpm5',
  about: 'MiniCPM 5: named attributes',
  call: wire`<function name="${name}">${each(argument)}</function>`,
  variants: [
    wire`<function name="${name}">\n<arguments>${each(argument)}</arguments>\n</function>`,
    wire`<functionname="${name}">${each(argument)}</function>`,
  ],
  reasoning: wire`<think>\n${text}\n</think>`,
  ignore: ['<|im_end|>'],
  result: wire`<tool_response>\n${output}\n</tool_response>`,
  prompt: jsonLines,
  models: [/minicpm-?5/i],
  examples: {
    'one call': {
      wire: '<function name="get_weather"><param name="city">Paris</param></function>',
      calls: [['get_weather', { city: 'Paris' }]],
    },
  },
}
