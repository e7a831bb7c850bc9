import { args, calls, each, gap, key, kind, name, output, text, value, wire } from '../draw.ts'
import { jsonLines } from '../prompt/json-lines.ts'
import type { Protocol } from '../protocol.ts'

const argument = [
  wire`<｜DSML｜parameter name="${key}" string="${kind({ text: 'true', json: 'false' })}">${value()}</｜DSML｜parameter>`,
  wire`<｜DSML｜parameter name="${key}">${value()}</｜DSML｜parameter>`,
]
const call = wire`<｜DSML｜invoke name="${name}">\n${each(argument, { separator: '\n' })}\n</｜DSML｜invoke>`

export const deepseekDsml: Protocol = {
  id: 'deepseek-dsml',
  about: 'DeepSeek V3.2 and V4: tags that say whether a value is text',
  section: wire`<｜DSML｜tool_calls>\n${calls({ separator: '\n' })}\n</｜DSML｜tool_calls>`,
  call,
  variants: [
    wire`<｜DSML｜function_calls>\n${calls({ of: call, separator: '\n' })}\n</｜DSML｜function_calls>`,
    wire`<｜DSML｜invoke name="${name}"${gap}/>`,
    wire`<｜DSML｜invoke name="${name}">\n${args}\n</｜DSML｜invoke>`,
  ],
  reasoning: wire`<think>${text}</think>`,
  ignore: ['<｜end▁of▁sentence｜>'],
  result: wire`<tool_result>${output}</tool_result>`,
  prompt: jsonLines,
  models: [/deepseek.*v(?:3\.2|4)/i],
  examples: {
    'one call': {
      wire: '<｜DSML｜tool_calls>\n<｜DSML｜invoke name="get_weather">\n<｜DSML｜parameter name="city" string="true">Paris</｜DSML｜parameter>\n<｜DSML｜parameter name="days" string="false">2</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>',
      calls: [['get_weather', { city: 'Paris', days: 2 }]],
    },
  },
}
