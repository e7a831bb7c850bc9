import {
  args,
  calls,
  each,
  gap,
  key,
  kind,
  name,
  output,
  results,
  text,
  value,
  wire,
} from '../draw.ts'
import { dsmlTools } from '../prompt/dsml.ts'
import type { Examples, Family, Prompt, Protocol } from '../protocol.ts'

const argument = [
  wire`<｜DSML｜parameter name="${key}" string="${kind({ text: 'true', json: 'false' })}">${value()}</｜DSML｜parameter>`,
  wire`<｜DSML｜parameter name="${key}">${value()}</｜DSML｜parameter>`,
]

export const deepseekDsml: Protocol<'deepseek-dsml'> = {
  id: 'deepseek-dsml',
  section: wire`<｜DSML｜tool_calls>\n${calls({ separator: '\n' })}\n</｜DSML｜tool_calls>`,
  call: wire`<｜DSML｜invoke name="${name}">\n${each(argument, { separator: '\n' })}\n</｜DSML｜invoke>`,
  variants: [
    wire`<｜DSML｜function_calls>\n${calls({ separator: '\n' })}\n</｜DSML｜function_calls>`,
    wire`<｜DSML｜invoke name="${name}"${gap}/>`,
    wire`<｜DSML｜invoke name="${name}">\n${args}\n</｜DSML｜invoke>`,
  ],
  reasoning: wire`<think>${text}</think>`,
  ignore: [
    '<｜end▁of▁sentence｜>',
    '<｜Assistant｜>',
    '</｜DSML｜tool_calls>',
    '</｜DSML｜function_calls>',
  ],
  result: wire`<tool_result>${output}</tool_result>`,
  results: wire`${results('\n\n')}`,
}

export const family: Family = {
  about: 'DeepSeek V4: tags that mark text values',
  models: [/deepseek.{0,6}v4/i],
  template: '｜DSML｜',
}

export const prompt: Prompt = dsmlTools

export const examples: Examples = {
  'one call': {
    wire: '<｜DSML｜tool_calls>\n<｜DSML｜invoke name="get_weather">\n<｜DSML｜parameter name="city" string="true">Paris</｜DSML｜parameter>\n<｜DSML｜parameter name="days" string="false">2</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>',
    calls: [['get_weather', { city: 'Paris', days: 2 }]],
  },
  'no arguments, in the older section': {
    wire: '<｜DSML｜function_calls>\n<｜DSML｜invoke name="ping"/>\n</｜DSML｜function_calls>',
    calls: [['ping', {}]],
    variant: true,
  },
}
