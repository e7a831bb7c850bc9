import { each, key, name, output, text, value, wire } from '../draw.ts'
import { jsonLines } from '../prompt/json-lines.ts'
import type { Protocol } from '../protocol.ts'

const argument = wire`<parameter=${key}>${value()}</parameter>`
const called = wire`<function=${name}>\n${each(argument, { separator: '\n' })}\n</function>`

export const seedOss: Protocol = {
  id: 'seed-oss',
  about: 'ByteDance Seed-OSS: a tag per argument',
  call: ['<seed:tool_call>\n', ...called, '\n</seed:tool_call>'],
  variants: [called],
  reasoning: wire`<seed:think>${text}</seed:think>`,
  ignore: ['<seed:eos>'],
  result: wire`<seed:tool_response>${output}</seed:tool_response>`,
  prompt: jsonLines,
  models: [/seed-?oss/i],
  examples: {
    'one call': {
      wire: '<seed:tool_call>\n<function=get_weather>\n<parameter=city>Paris</parameter>\n<parameter=days>2</parameter>\n</function>\n</seed:tool_call>',
      calls: [['get_weather', { city: 'Paris', days: 2 }]],
    },
  },
}
