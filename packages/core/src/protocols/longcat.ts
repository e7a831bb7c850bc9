import { each, envelope, key, name, output, text, value, wire } from '../draw.ts'
import { jsonLines } from '../prompt/json-lines.ts'
import type { Examples, Family, Prompt, Protocol } from '../protocol.ts'

const members = each(
  wire`<longcat_arg_key>${key}</longcat_arg_key>\n<longcat_arg_value>${value({ untyped: 'json' })}</longcat_arg_value>\n`,
)

/** Its template is unknown: the prompt and the results are our own. */
export const longcat: Protocol<'longcat'> = {
  id: 'longcat',
  call: wire`<longcat_tool_call>\n${envelope}\n</longcat_tool_call>`,
  variants: [wire`<longcat_tool_call>${name}\n${members}</longcat_tool_call>`],
  reasoning: wire`<longcat_think>${text}</longcat_think>`,
  result: wire`<tool_response>${output}</tool_response>`,
}

export const family: Family = {
  about: 'LongCat: like Hermes, or from 2601 on like GLM, with its own tags',
  models: [/longcat-?(?:flash|2)/i],
}

export const prompt: Prompt = jsonLines

export const examples: Examples = {
  'one call': {
    wire: '<longcat_tool_call>\n{"name": "ping", "arguments": {}}\n</longcat_tool_call>',
    calls: [['ping', {}]],
  },
  'a tag per key and value, as of 2601': {
    wire: '<longcat_think>Two.</longcat_think><longcat_tool_call>get_weather\n<longcat_arg_key>city</longcat_arg_key>\n<longcat_arg_value>Paris</longcat_arg_value>\n<longcat_arg_key>days</longcat_arg_key>\n<longcat_arg_value>2</longcat_arg_value>\n</longcat_tool_call>\n<longcat_tool_call>ping</longcat_tool_call>',
    reasoning: 'Two.',
    calls: [
      ['get_weather', { city: 'Paris', days: 2 }],
      ['ping', {}],
    ],
    variant: true,
  },
  'tags without line breaks': {
    wire: '<longcat_tool_call>get_weather<longcat_arg_key>city</longcat_arg_key><longcat_arg_value>Paris</longcat_arg_value></longcat_tool_call>',
    calls: [['get_weather', { city: 'Paris' }]],
    variant: true,
  },
}
