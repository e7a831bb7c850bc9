import { calls } from '../holes/calls.ts'
import { gap } from '../holes/gap.ts'
import { json } from '../holes/json.ts'
import { id } from '../holes/labels.ts'
import { outputJson } from '../holes/output.ts'
import type { Protocol } from '../protocol.ts'
import { wire } from '../wire.ts'
import { mistral } from './mistral.ts'

export const mistralArray: Protocol = {
  id: 'mistral-array',
  about: 'Mistral 7B v0.3, Nemo, Large 2: a JSON list behind a mark',
  section: wire`[TOOL_CALLS]${gap}[${calls({ separator: ', ' })}]`,
  call: wire`${json({ name: 'name', args: ['arguments', 'parameters'], id: 'id', encoded: true })}`,
  ignore: ['</s>'],
  result: wire`[TOOL_RESULTS]{"content": ${outputJson}, "call_id": "${id}"}[/TOOL_RESULTS]`,
  prompt: mistral.prompt,
  models: [/mistral.*(?:7b|nemo|large-?2)/i, /mixtral/i],

  examples: {
    'two calls': {
      wire: '[TOOL_CALLS][{"name": "get_weather", "arguments": {"city": "Paris"}, "id": "abcdefghi"}, {"name": "ping", "arguments": {}, "id": "123456789"}]',
      calls: [
        ['get_weather', { city: 'Paris' }],
        ['ping', {}],
      ],
    },
    'spaces, arguments first, text around': {
      wire: 'Look: [TOOL_CALLS] [ {"arguments": {"city": "]}"}, "name": "get_weather"} ]\nok',
      text: 'Look: \nok',
      calls: [['get_weather', { city: ']}' }]],
      variant: true,
    },
    'a brace is text': { wire: 'use {"name": 1} or {x}', text: 'use {"name": 1} or {x}' },
  },
}
