import {
  args,
  each,
  elements,
  envelope,
  key,
  name,
  output,
  text,
  toolElement,
  value,
  wire,
} from '../draw.ts'
import { openAiLines } from '../prompt/tools.ts'
import type { Examples, Family, Prompt, Protocol } from '../protocol.ts'

const argument = wire`<arg_key>${key}</arg_key>\n<arg_value>${value({ untyped: 'json' })}</arg_value>\n`
/** The opening tag is missing or wrong. */
const misopened = toolElement({ body: 'name', opener: '<user>', next: '<arg_key>' })

export const glm: Protocol<'glm'> = {
  id: 'glm',
  call: wire`<tool_call>${name}\n${each(argument)}</tool_call>`,
  variants: [
    wire`<tool_call>${name}\n${args}\n</tool_call>`,
    wire`<tool_call>\n${envelope}\n</tool_call>`,
    wire`${misopened}${each(argument)}</tool_call>`,
  ],
  // GLM 4.7 uses this form in its reasoning.
  general: [wire`<invoke name="${name}">${elements({ prefix: '' })}</invoke>`],
  reasoning: wire`<think>${text}</think>`,
  ignore: ['</tool_call>', '<|observation|>', '<|user|>', '<|assistant|>', '<|endoftext|>'],
  result: wire`<tool_response>\n${output}\n</tool_response>`,
}

export const family: Family = {
  about: 'GLM 4.5 and 4.6: key and value in separate tags',
  models: [/(?<!chat)glm-?4[.p][56]/i, /(?<![a-z\d])ring-?2[.p]6/i],
}

export const prompt: Prompt = ({ tools }) => `# Tools

You may call one or more functions to assist with the user query.

You are provided with function signatures within <tools></tools> XML tags:
<tools>
${openAiLines(tools)}
</tools>

For each function call, output the function name and arguments within the following XML format:
<tool_call>{function-name}
<arg_key>{arg-key-1}</arg_key>
<arg_value>{arg-value-1}</arg_value>
<arg_key>{arg-key-2}</arg_key>
<arg_value>{arg-value-2}</arg_value>
...
</tool_call>`

export const examples: Examples = {
  'an element per argument, in thoughts that end the reply': {
    wire: '<think>Now <invoke name="ping">\n  <n>1</n>\n</invoke>\n</think>',
    reasoning: 'Now ',
    calls: [['ping', { n: '1' }]],
    variant: true,
  },
  'two calls': {
    wire: '<think>hm</think><tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Paris</arg_value>\n<arg_key>days</arg_key>\n<arg_value>2</arg_value>\n</tool_call>\n<tool_call>ping\n</tool_call>',
    reasoning: 'hm',
    calls: [
      ['get_weather', { city: 'Paris', days: 2 }],
      ['ping', {}],
    ],
  },
  'without line breaks': {
    wire: '<tool_call>get_weather<arg_key>city</arg_key><arg_value>Paris</arg_value></tool_call><tool_call>ping</tool_call>',
    calls: [
      ['get_weather', { city: 'Paris' }],
      ['ping', {}],
    ],
    variant: true,
  },
}
