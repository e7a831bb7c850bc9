import { args, id, name, output, text, wire } from '../draw.ts'
import { bare } from '../prompt/tools.ts'
import { spaced } from '../print/spaced.ts'
import type { Protocol } from '../protocol.ts'

/**
 * As the templates of Ministral 3 and Devstral write it. Mistral Small 3.2 has ids: `[TOOL_CALLS]name[CALL_ID]id[ARGS]{}`,
 * `[TOOL_RESULTS]id[TOOL_CONTENT]text[/TOOL_RESULTS]`; its tools stand before the last thing the user said.
 */
export const mistral: Protocol = {
  id: 'mistral',
  about: 'Mistral Small 3, Devstral, Magistral, Ministral 3: the name between marks, then JSON',
  call: wire`[TOOL_CALLS]${name}[ARGS]${args}`,
  variants: [
    wire`[TOOL_CALLS]${name}[CALL_ID]${id}[ARGS]${args}`,
    wire`[TOOL_CALLS]${name}${args}`,
  ],
  separator: '',
  reasoning: wire`[THINK]${text}[/THINK]`,
  ignore: ['</s>'],
  result: wire`[TOOL_RESULTS]${output}[/TOOL_RESULTS]`,

  prompt: ({ tools }) =>
    `[AVAILABLE_TOOLS]${spaced(tools.map((tool) => ({ type: 'function', function: bare(tool) })))}[/AVAILABLE_TOOLS]`,

  models: [
    /(?:^|_)mi(?:ni)?stral-.*-(?:latest|25(?:0[5-9]|1)|26)/i,
    /(?:^|_)(?:mistral-?(?:small|large)|ministral)-?(?:3\.[2-9]|[34](?![.\db]))/i,
    /mistral-medium/i,
    /devstral/i,
    /magistral/i,
  ],
  examples: {
    'two calls': {
      wire: 'Sure.[TOOL_CALLS]get_weather[ARGS]{"city": "Paris", "days": 2}[TOOL_CALLS]ping[ARGS]{}',
      text: 'Sure.',
      calls: [
        ['get_weather', { city: 'Paris', days: 2 }],
        ['ping', {}],
      ],
    },
    'a thought about a call': {
      wire: '[THINK]Maybe [TOOL_CALLS]ping[ARGS]{}.[/THINK]No.',
      reasoning: 'Maybe [TOOL_CALLS]ping[ARGS]{}.',
      text: 'No.',
    },
  },
}
