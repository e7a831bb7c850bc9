import { calls, each, key, name, output, text, value, wire } from '../draw.ts'
import { jsonLines } from '../prompt/json-lines.ts'
import type { Examples, Family, Prompt, Protocol } from '../protocol.ts'

const argument = wire`<steptml:parameter name="${key}">${value({ untyped: 'scalar' })}</steptml:parameter>`
const invoke = wire`<steptml:invoke name="${name}">${each(argument)}</steptml:invoke>`
const bare = ['<｜tool_call_begin｜>', ...invoke, '<｜tool_call_end｜>']

/** Its template is unknown: the prompt and the results are our own. */
export const step3: Protocol<'step3'> = {
  id: 'step3',
  section: wire`<｜tool_calls_begin｜>${calls()}<｜tool_calls_end｜>`,
  call: ['<｜tool_call_begin｜>function<｜tool_sep｜>', ...invoke, '<｜tool_call_end｜>'],
  variants: [
    wire`<｜tool_calls_begin｜>${calls({ of: bare, separator: '<｜tool_sep｜>' })}<｜tool_calls_end｜>`,
  ],
  reasoning: wire`<think>${text}</think>`,
  ignore: ['<｜tool_calls_end｜>'],
  result: wire`<｜tool_output_begin｜>${output}<｜tool_output_end｜>`,
}

export const family: Family = {
  about: 'Step 3: named attributes between marks',
  models: [/(?<![a-z\d])step-?3(?![.p]\d|-?vl)/i],
}

export const prompt: Prompt = jsonLines

export const examples: Examples = {
  'a mark between two calls': {
    wire: '<｜tool_calls_begin｜><｜tool_call_begin｜><steptml:invoke name="ping"></steptml:invoke><｜tool_call_end｜><｜tool_sep｜><｜tool_call_begin｜><steptml:invoke name="pong"></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>',
    calls: [
      ['ping', {}],
      ['pong', {}],
    ],
    variant: true,
  },
  'one call': {
    wire: '<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="get_weather"><steptml:parameter name="city">Paris</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>',
    calls: [['get_weather', { city: 'Paris' }]],
  },
  'the word is missing': {
    wire: '<｜tool_calls_begin｜><｜tool_call_begin｜><steptml:invoke name="ping"></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>',
    calls: [['ping', {}]],
    variant: true,
  },
}
