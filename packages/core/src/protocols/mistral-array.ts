import { args, aside, calls, gap, id, json, name, output, wire } from '../draw.ts'
import type { Examples, Family, Prompt, Protocol } from '../protocol.ts'
import { mistral, prompt as mistralPrompt } from './mistral.ts'

const object = json({
  name: 'name',
  args: ['arguments', 'parameters'],
  id: 'id',
  encoded: true,
})

/** Follows the template of Mistral Nemo: the tools come before the last user message, and results are not quoted. */
export const mistralArray: Protocol<'mistral-array'> = {
  id: 'mistral-array',
  section: wire`[TOOL_CALLS]${gap}[${calls({ separator: ', ' })}]`,
  call: wire`${object}`,
  // With the name before the mark, the whole reply is one call.
  variants: [wire`${name}[TOOL_CALLS]${args}`, wire`${name}[TOOL_CALLS][ARGS]${args}`],
  general: [wire`[TOOL_CALLS]${aside({ repair: 'stray-text' })}[${object}]`],
  ignore: ['</s>'],
  result: wire`[TOOL_RESULTS]{"content": ${output}, "call_id": "${id}"}[/TOOL_RESULTS]`,
  results: mistral.results!,
}

export const family: Family = {
  about: 'Mistral 7B v0.3, Nemo, Large 2: a JSON list after a mark',
  models: [
    /(?:^|_|open-)mistral(?::|$|-?(?:nemo|7b(?!.*v0\.[12])))/i,
    /(?:^|_)(?:mistral-?(?:small|large)|ministral-[38]b)(?!-?[34](?![.\d])|-?3\.[2-9]|.*-(?:latest|25(?:0[5-9]|1)|26))/i,
    /mixtral.8x22b/i,
    /pixtral/i,
  ],
}

export const prompt: Prompt = mistralPrompt

export const examples: Examples = {
  'two calls': {
    wire: '[TOOL_CALLS][{"name": "get_weather", "arguments": {"city": "Paris"}, "id": "abcdefghi"}, {"name": "ping", "arguments": {}, "id": "123456789"}]',
    calls: [
      ['get_weather', { city: 'Paris' }],
      ['ping', {}],
    ],
  },
  'the name before the mark': {
    wire: 'get_weather[TOOL_CALLS]{"city": "Paris"}',
    calls: [['get_weather', { city: 'Paris' }]],
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
    malformed: ['empty'],
    variant: true,
  },
}
