import { args, aside, id, json, name, output, results, text, wire } from '../draw.ts'
import { openAiTool } from '../prompt/tools.ts'
import { spaced } from '../print/spaced.ts'
import type { Examples, Family, Prompt, Protocol } from '../protocol.ts'

const object = json({ name: 'name', args: 'arguments', encoded: true })

export const mistral: Protocol<'mistral'> = {
  id: 'mistral',
  call: wire`[TOOL_CALLS]${name}[ARGS]${args}`,
  variants: [
    wire`[TOOL_CALLS]${name}[CALL_ID]${id}[ARGS]${args}`,
    wire`[TOOL_CALLS]${name}${args}`,
    wire`[TOOL_CALLS]${object}`,
  ],
  general: [wire`[TOOL_CALLS]${aside({ repair: 'stray-text' })}[${object}]`],
  separator: '',
  reasoning: wire`[THINK]${text}[/THINK]`,
  ignore: ['</s>'],
  result: wire`[TOOL_RESULTS]${output}[/TOOL_RESULTS]`,
  results: wire`${results('')}`,
}

export const family: Family = {
  about: 'Mistral Medium 3, Devstral, Magistral, Ministral 3: the name between marks, then JSON',
  models: [
    /(?:^|_)mi(?:ni)?stral-(?!small-3\.).*-(?:latest|25(?:0[5-9]|1)|26)/i,
    /(?:^|_)(?:mistral-?(?:small|large)|ministral)-?[34](?![.\db])/i,
    /mistral-medium/i,
    /devstral/i,
    /magistral/i,
  ],
}

export const prompt: Prompt = ({ tools }) =>
  `[AVAILABLE_TOOLS]${spaced(tools.map(openAiTool))}[/AVAILABLE_TOOLS]`

export const examples: Examples = {
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
  'an object after the mark': {
    wire: '[TOOL_CALLS] {"name": "ping", "arguments": {"n": 1}}',
    calls: [['ping', { n: 1 }]],
    variant: true,
  },
  'words before the list': {
    wire: '[TOOL_CALLS] the calls: [{"name": "ping", "arguments": {"n": 1}}, {"name": "pong", "arguments": {}}] Done.',
    text: ' Done.',
    calls: [
      ['ping', { n: 1 }],
      ['pong', {}],
    ],
    repairs: ['stray-text', 'several-calls'],
    variant: true,
  },
  'words about a list': {
    wire: 'It is [TOOL_CALLS] and a list [1].',
    text: 'It is [TOOL_CALLS] and a list [1].',
    variant: true,
  },
}
