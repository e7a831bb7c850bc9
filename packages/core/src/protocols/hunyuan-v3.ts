import { calls, each, key, name, output, text, value, wire } from '../draw.ts'
import { jsonLines } from '../prompt/json-lines.ts'
import type { Protocol } from '../protocol.ts'

/** Shipping tokenizers put the same suffix on every tag. */
const drawn = (suffix: string) => {
  const argument = wire`<arg_key${suffix}>${key}</arg_key${suffix}>\n<arg_value${suffix}>${value({ untyped: 'json' })}</arg_value${suffix}>`
  const of = wire`<tool_call${suffix}>${name}<tool_sep${suffix}>\n${each(argument, { separator: '\n' })}\n</tool_call${suffix}>`
  return {
    call: of,
    section: wire`<tool_calls${suffix}>\n${calls({ of, separator: '\n' })}\n</tool_calls${suffix}>`,
  }
}
const bare = drawn('')
const open = drawn(':opensource')

export const hunyuanV3: Protocol = {
  id: 'hunyuan-v3',
  about: 'Tencent Hunyuan 3: key and value in tags of their own, in a section',
  section: open.section,
  call: open.call,
  variants: [bare.section, bare.call],
  reasoning: wire`<think:opensource>${text}</think:opensource>`,
  result: wire`<tool_response:opensource>${output}</tool_response:opensource>`,
  prompt: jsonLines,
  models: [/hunyuan-?(?:3|v3)/i, /hy-?3/i],
  examples: {
    'one call': {
      wire: '<tool_calls:opensource>\n<tool_call:opensource>get_weather<tool_sep:opensource>\n<arg_key:opensource>city</arg_key:opensource>\n<arg_value:opensource>Paris</arg_value:opensource>\n</tool_call:opensource>\n</tool_calls:opensource>',
      calls: [['get_weather', { city: 'Paris' }]],
    },
  },
}
