import { calls, gap, id, json, outputJson, wire } from '../draw.ts'
import type { Protocol } from '../protocol.ts'
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
  },
}
