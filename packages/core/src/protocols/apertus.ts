import { calls, first, gap, keyed, output, results, text, wire } from '../draw.ts'
import { functionType, plainMembers } from '../prompt/typescript.ts'
import type { Examples, Family, Prompt, Protocol } from '../protocol.ts'

/** Results follow the calls in the same turn. */
export const apertus: Protocol<'apertus'> = {
  id: 'apertus',
  section: wire`<|tools_prefix|>${gap}[${calls({ separator: ', ' })}]${gap}<|tools_suffix|>`,
  call: wire`${keyed}`,
  reasoning: wire`<|inner_prefix|>${text}<|inner_suffix|>`,
  ignore: ['<|assistant_start|>', '<|assistant_end|>', '<|tools_suffix|>'],
  result: wire`${output}`,
  results: wire`${first('[')}${results(', ')}]`,
}

export const family: Family = {
  about: 'Apertus: a JSON list whose keys are the names',
  models: [/apertus/i],
}

export const prompt: Prompt = ({ tools }) =>
  `Tool Capabilities:\n${tools.map((tool) => functionType(tool, plainMembers(''))).join('\n')}`

export const examples: Examples = {
  'two calls': {
    wire: '<|tools_prefix|>[{"get_weather": {"city": "Paris"}}, {"ping": {}}]<|tools_suffix|>',
    calls: [
      ['get_weather', { city: 'Paris' }],
      ['ping', {}],
    ],
  },
}
