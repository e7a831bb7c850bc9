import { calls, each, json, key, name, output, value, wire } from '../draw.ts'
import { jsonLines } from '../prompt/json-lines.ts'
import type { Protocol } from '../protocol.ts'

const argument = wire`<parameter name="${key}">${value({ untyped: 'json' })}</parameter>`

export const dots: Protocol = {
  id: 'dots',
  about: 'dots: named attributes, in a section',
  section: wire`<dots_function_call>\n${calls({ separator: '\n' })}\n</dots_function_call>`,
  call: wire`<invoke name="${name}">\n${each(argument, { separator: '\n' })}\n</invoke>`,
  variants: [
    wire`<dots_function_call>\n${json({ name: 'name', args: ['arguments', 'parameters'], encoded: true })}\n</dots_function_call>`,
  ],
  result: wire`<response>${output}</response>`,
  prompt: jsonLines,
  models: [/dots/i],
  examples: {
    'one call': {
      wire: '<dots_function_call>\n<invoke name="get_weather">\n<parameter name="city">Paris</parameter>\n</invoke>\n</dots_function_call>',
      calls: [['get_weather', { city: 'Paris' }]],
    },
  },
}
