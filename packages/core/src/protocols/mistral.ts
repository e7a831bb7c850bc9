import { args } from '../holes/args.ts'
import { id, name } from '../holes/labels.ts'
import { output } from '../holes/output.ts'
import { text } from '../holes/text.ts'
import { bare } from '../prompt/tools.ts'
import { spaced } from '../print/spaced.ts'
import type { Protocol } from '../protocol.ts'
import { wire } from '../wire.ts'

export const mistral: Protocol = {
  id: 'mistral',
  about: 'Mistral Small 3, Devstral, Magistral, Ministral 3: the name between marks, then JSON',
  call: wire`[TOOL_CALLS]${name}[ARGS]${args}`,
  variants: [wire`[TOOL_CALLS]${name}[CALL_ID]${id}[ARGS]${args}`, wire`[TOOL_CALLS]${name}${args}`],
  reasoning: wire`[THINK]${text}[/THINK]`,
  ignore: ['</s>'],
  result: wire`[TOOL_RESULTS]${output}[/TOOL_RESULTS]`,

  prompt: ({ tools }) =>
    `[AVAILABLE_TOOLS]${spaced(tools.map((tool) => ({ type: 'function', function: bare(tool) })))}[/AVAILABLE_TOOLS]`,

  models: [/mi(?:ni)?stral.*(?:small|large-?3|3)/i, /devstral/i, /magistral/i],
  examples: {
    'two calls': {
      wire: 'Sure.[TOOL_CALLS]get_weather[ARGS]{"city": "Paris", "days": 2}\n[TOOL_CALLS]ping[ARGS]{}',
      text: 'Sure.',
      calls: [
        ['get_weather', { city: 'Paris', days: 2 }],
        ['ping', {}],
      ],
    },
    'what the documentation shows': {
      wire: '[TOOL_CALLS]bash[ARGS]{"command": "ls -la"}',
      calls: [['bash', { command: 'ls -la' }]],
    },
    'with an id, without the second mark': {
      wire: '[TOOL_CALLS]ping[CALL_ID]a1b2c3d4e[ARGS]{}[TOOL_CALLS]ping{"n": 1}',
      calls: [
        ['ping', {}],
        ['ping', { n: 1 }],
      ],
      variant: true,
    },
    'a thought about a call': {
      wire: '[THINK]Maybe [TOOL_CALLS]ping[ARGS]{}.[/THINK]No.',
      reasoning: 'Maybe [TOOL_CALLS]ping[ARGS]{}.',
      text: 'No.',
    },
  },
}
