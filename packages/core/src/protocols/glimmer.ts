import { calls, each, key, name, output, text, value, wire } from '../draw.ts'
import { jsonLines } from '../prompt/json-lines.ts'
import type { Protocol } from '../protocol.ts'

const argument = wire`<atem:parameter name="${key}">${value({ untyped: 'json' })}</atem:parameter>`

export const glimmer: Protocol = {
  id: 'glimmer',
  about: 'Muse Glimmer: messages to a recipient, named attributes in them',
  section: wire`<atem:function_calls>\n${calls({ separator: '\n' })}\n</atem:function_calls>`,
  call: wire`<atem:invoke name="${name}">\n${each(argument, { separator: '\n' })}\n</atem:invoke>`,
  reasoning: wire`to=self<|message|>${text}<|eom|>`,
  ignore: ['<|start|>assistant', 'to=user<|message|>', '<|message|>', '<|eom|>', '<|eot|>'],
  result: wire`<atem:function_results>${output}</atem:function_results>`,
  prompt: jsonLines,
  models: [/glimmer/i],
  examples: {
    'one call': {
      wire: '<atem:function_calls>\n<atem:invoke name="get_weather">\n<atem:parameter name="city">Paris</atem:parameter>\n</atem:invoke>\n</atem:function_calls>',
      calls: [['get_weather', { city: 'Paris' }]],
    },
  },
}
