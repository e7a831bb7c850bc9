import { args, name, output, text, wire } from '../draw.ts'
import { jsonLines } from '../prompt/json-lines.ts'
import type { Protocol } from '../protocol.ts'
import type { Wire } from '../wire.ts'

/** The recipient may stand before or behind the channel, and the type of the content in several ways. */
const headers: Wire[] = ['commentary', 'analysis'].flatMap((channel) =>
  [' <|constrain|>json', '<|constrain|>json', ' json', ' code', '<|constrain|>', ''].flatMap(
    (type) => [
      wire`<|channel|>${channel} to=functions.${name}${type}<|message|>${args}<|call|>`,
      wire`to=functions.${name}<|channel|>${channel}${type}<|message|>${args}<|call|>`,
      wire`<|channel|>${channel} to=${name}${type}<|message|>${args}<|call|>`,
    ],
  ),
)

export const harmony: Protocol = {
  id: 'harmony',
  about: 'gpt-oss: every message names its channel; a call is a message to a function',
  call: wire`<|channel|>commentary to=functions.${name} <|constrain|>json<|message|>${args}<|call|>`,
  variants: headers,
  reasoning: wire`<|channel|>analysis<|message|>${text}<|end|>`,
  ignore: [
    '<|channel|>final<|message|>',
    '<|channel|>commentary<|message|>',
    '<|start|>assistant',
    '<|end|>',
    '<|return|>',
    '<|call|>',
  ],
  result: wire`<|start|>functions.${name} to=assistant<|channel|>commentary<|message|>${output}<|end|>`,
  prompt: jsonLines,
  models: [/gpt-?oss/i],
  examples: {
    'thought, then a call': {
      wire: '<|channel|>analysis<|message|>Need weather.<|end|><|start|>assistant<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{"city": "Paris"}<|call|>',
      reasoning: 'Need weather.',
      calls: [['get_weather', { city: 'Paris' }]],
    },
    'an answer': { wire: '<|channel|>final<|message|>It rains.<|return|>', text: 'It rains.' },
  },
}
