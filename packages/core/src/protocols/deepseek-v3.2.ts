import { calls, output, results, wire } from '../draw.ts'
import { bareLines } from '../prompt/tools.ts'
import type { Examples, Family, Prompt, Protocol } from '../protocol.ts'
import { deepseekDsml } from './deepseek-dsml.ts'

export const deepseekV32: Protocol<'deepseek-v3.2'> = {
  ...deepseekDsml,
  id: 'deepseek-v3.2',
  dialect: 'deepseek-dsml',
  section: wire`<｜DSML｜function_calls>\n${calls({ separator: '\n' })}\n</｜DSML｜function_calls>`,
  variants: [deepseekDsml.section!, ...deepseekDsml.variants!.slice(1)],
  result: wire`<result>${output}</result>`,
  results: wire`<function_results>\n${results('\n')}\n</function_results>`,
}

export const family: Family = {
  about: 'DeepSeek V3.2: like V4, with another section name',
  models: [/deepseek.{0,6}v3[.p]2(?!-?exp)/i],
  template: '｜DSML｜',
}

export const prompt: Prompt = ({ tools }) => `## Tools

You have access to a set of tools you can use to answer the user's question.
You can invoke functions by writing a "<｜DSML｜function_calls>" block like the following as part of your reply to the user:
<｜DSML｜function_calls>
<｜DSML｜invoke name="$FUNCTION_NAME">
<｜DSML｜parameter name="$PARAMETER_NAME" string="true|false">$PARAMETER_VALUE</｜DSML｜parameter>
...
</｜DSML｜invoke>
<｜DSML｜invoke name="$FUNCTION_NAME2">
...
</｜DSML｜invoke>
</｜DSML｜function_calls>

String and scalar parameters should be specified as is without any escaping or quotes, while lists and objects should use JSON format. The "string" attribute should be set to "true" for string type parameters and "false" for other types (numbers, booleans, arrays, objects).

If the thinking_mode is enabled, then after function results you should strongly consider outputting a thinking block. Here is an example:

<｜DSML｜function_calls>
...
</｜DSML｜function_calls>

<function_results>
...
</function_results>

<think>...thinking about results</think>

Here are the functions available in JSONSchema format:
<functions>
${bareLines(tools)}
</functions>`

export const examples: Examples = {
  'one call': {
    wire: '<｜DSML｜function_calls>\n<｜DSML｜invoke name="get_weather">\n<｜DSML｜parameter name="city" string="true">Paris</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
    calls: [['get_weather', { city: 'Paris' }]],
  },
}
