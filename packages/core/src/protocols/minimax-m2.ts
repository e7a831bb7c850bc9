import { calls, each, key, name, output, text, value, wire } from '../draw.ts'
import { jsonLines } from '../prompt/json-lines.ts'
import type { Protocol } from '../protocol.ts'

const argument = [
  wire`<parameter name="${key}">${value({ untyped: 'json' })}</parameter>`,
  wire`<parameter name='${key}'>${value({ untyped: 'json' })}</parameter>`,
  wire`<parameter name=${key}>${value({ untyped: 'json' })}</parameter>`,
]
const each1 = each(argument, { separator: '\n' })

export const minimaxM2: Protocol = {
  id: 'minimax-m2',
  about: 'MiniMax M2: named attributes, in a section',
  section: wire`<minimax:tool_call>\n${calls({ separator: '\n' })}\n</minimax:tool_call>`,
  call: wire`<invoke name="${name}">\n${each1}\n</invoke>`,
  variants: [
    wire`<invoke name='${name}'>\n${each1}\n</invoke>`,
    wire`<invoke name=${name}>\n${each1}\n</invoke>`,
  ],
  reasoning: wire`<think>\n${text}\n</think>`,
  ignore: ['[e~['],
  result: wire`<response>${output}</response>`,
  prompt: jsonLines,
  models: [/minimax-?m2/i],
  examples: {
    'two calls': {
      wire: '<minimax:tool_call>\n<invoke name="get_weather">\n<parameter name="city">Paris</parameter>\n<parameter name="days">2</parameter>\n</invoke>\n<invoke name="ping">\n\n</invoke>\n</minimax:tool_call>',
      calls: [
        ['get_weather', { city: 'Paris', days: 2 }],
        ['ping', {}],
      ],
    },
  },
}
