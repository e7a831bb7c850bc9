import { calls, each, key, name, output, results, text, value, wire } from '../draw.ts'
import { openAiLines } from '../prompt/tools.ts'
import type { Examples, Family, Prompt, Protocol } from '../protocol.ts'

/** Released tokenizers add the same suffix to every tag. */
const drawn = (suffix: string) => {
  const argument = wire`<arg_key${suffix}>${key}</arg_key${suffix}>\n<arg_value${suffix}>${value({ untyped: 'json' })}</arg_value${suffix}>\n`
  const of = wire`<tool_call${suffix}>${name}<tool_sep${suffix}>\n${each(argument)}</tool_call${suffix}>`
  return {
    call: of,
    section: wire`<tool_calls${suffix}>\n${calls({ of, separator: '\n' })}\n</tool_calls${suffix}>`,
  }
}
const bare = drawn('')
const open = drawn(':opensource')

export const hunyuanV3: Protocol<'hunyuan-v3'> = {
  id: 'hunyuan-v3',
  section: open.section,
  call: open.call,
  variants: [bare.section, bare.call],
  reasoning: wire`<think:opensource>${text}</think:opensource>`,
  ignore: ['</tool_calls:opensource>', '<｜hy_eos:opensource｜>'],
  result: wire`<tool_response:opensource>\n${output}\n</tool_response:opensource>`,
  results: wire`<tool_responses:opensource>\n${results('\n')}\n</tool_responses:opensource>`,
}

export const family: Family = {
  about: 'Tencent Hunyuan 3: key and value in separate tags, in a section',
  models: [/hunyuan-?v3/i, /(?<![a-z\d])hy-?3(?![\dd])/i],
  template: '<tool_sep{}>',
}

export const prompt: Prompt = ({ tools }) => `# Tools

You may call one or more functions to assist with the user query.

You are provided with function signatures within <tools></tools> XML tags:
<tools>
${openAiLines(tools)}
</tools>

For function call returns, you should first print <tool_calls:opensource>
For each function call, you should return object like:
<tool_call:opensource>{function-name}<tool_sep:opensource>
<arg_key:opensource>{arg-key-1}</arg_key:opensource>
<arg_value:opensource>{arg-value-1}</arg_value:opensource>
<arg_key:opensource>{arg-key-2}</arg_key:opensource>
<arg_value:opensource>{arg-value-2}</arg_value:opensource>
...
</tool_call:opensource>
At the end of function call returns, you should print </tool_calls:opensource>`

export const examples: Examples = {
  'two calls': {
    wire: '<tool_calls:opensource>\n<tool_call:opensource>get_weather<tool_sep:opensource>\n<arg_key:opensource>city</arg_key:opensource>\n<arg_value:opensource>Paris</arg_value:opensource>\n</tool_call:opensource>\n<tool_call:opensource>ping<tool_sep:opensource>\n</tool_call:opensource>\n</tool_calls:opensource>',
    calls: [
      ['get_weather', { city: 'Paris' }],
      ['ping', {}],
    ],
  },
  'without the suffix': {
    wire: '<tool_calls><tool_call>ping<tool_sep></tool_call></tool_calls>',
    calls: [['ping', {}]],
    variant: true,
  },
}
