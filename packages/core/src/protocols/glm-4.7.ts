import { each, key, name, output, results, value, wire } from '../draw.ts'
import { openAiLines } from '../prompt/tools.ts'
import type { Examples, Family, Prompt, Protocol } from '../protocol.ts'
import { glm } from './glm.ts'

const argument = wire`<arg_key>${key}</arg_key><arg_value>${value({ untyped: 'json' })}</arg_value>`

export const glm47: Protocol<'glm-4.7'> = {
  ...glm,
  id: 'glm-4.7',
  dialect: 'glm',
  call: wire`<tool_call>${name}${each(argument)}</tool_call>`,
  variants: [glm.call, ...glm.variants!],
  separator: '',
  result: wire`<tool_response>${output}</tool_response>`,
  results: wire`${results('')}`,
}

export const family: Family = {
  about: 'GLM 4.7 and 5, Ling 3: like GLM, without line breaks',
  models: [/(?<!chat)glm-?(?:4[.p][7-9]|[5-9])/i, /(?<![a-z\d])ling-?3/i],
}

export const prompt: Prompt = ({ tools }) => `# Tools

You may call one or more functions to assist with the user query.

You are provided with function signatures within <tools></tools> XML tags:
<tools>
${openAiLines(tools)}
</tools>

For each function call, output the function name and arguments within the following XML format:
<tool_call>{function-name}<arg_key>{arg-key-1}</arg_key><arg_value>{arg-value-1}</arg_value><arg_key>{arg-key-2}</arg_key><arg_value>{arg-value-2}</arg_value>...</tool_call>`

export const examples: Examples = {
  'two calls': {
    wire: '<think>hm</think><tool_call>get_weather<arg_key>city</arg_key><arg_value>Paris</arg_value></tool_call><tool_call>ping</tool_call>',
    reasoning: 'hm',
    calls: [
      ['get_weather', { city: 'Paris' }],
      ['ping', {}],
    ],
  },
}
