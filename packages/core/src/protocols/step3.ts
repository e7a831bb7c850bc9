import { calls, each, key, name, output, text, value, wire } from '../draw.ts'
import { jsonLines } from '../prompt/json-lines.ts'
import type { Protocol } from '../protocol.ts'

const argument = wire`<steptml:parameter name="${key}">${value({ untyped: 'json' })}</steptml:parameter>`
const invoke = wire`<steptml:invoke name="${name}">${each(argument)}</steptml:invoke>`

export const step3: Protocol = {
  id: 'step3',
  about: 'Step 3: named attributes between marks',
  section: wire`<｜tool_calls_begin｜>${calls()}<｜tool_calls_end｜>`,
  call: ['<｜tool_call_begin｜>function<｜tool_sep｜>', ...invoke, '<｜tool_call_end｜>'],
  reasoning: wire`<think>${text}</think>`,
  result: wire`<｜tool_output_begin｜>${output}<｜tool_output_end｜>`,
  prompt: jsonLines,
  models: [/step-?3(?!\.)/i],
  examples: {
    'one call': {
      wire: '<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="get_weather"><steptml:parameter name="city">Paris</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>',
      calls: [['get_weather', { city: 'Paris' }]],
    },
  },
}
