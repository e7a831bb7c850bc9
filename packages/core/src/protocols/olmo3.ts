import { calls, keywords, name, output, results, text, wire } from '../draw.ts'
import { spaced } from '../print/spaced.ts'
import { bare } from '../prompt/tools.ts'
import type { Examples, Family, Prompt, Protocol } from '../protocol.ts'

/**
 * Results are in a turn of the role `environment`. The marks in the prompt are the model's, the
 * wording is our own.
 */
export const olmo3: Protocol<'olmo3'> = {
  id: 'olmo3',
  section: wire`<function_calls>${calls({ separator: '\n' })}</function_calls>`,
  call: wire`${name}(${keywords}`,
  variants: [wire`${name}(${keywords}`],
  reasoning: wire`<think>${text}</think>`,
  ignore: ['<|im_end|>'],
  result: wire`<|im_start|>environment\n${output}<|im_end|>\n`,
  results: wire`${results('')}`,
}

export const family: Family = {
  about: 'OLMo 3: one Python call per line',
  models: [/olmo-?3/i],
}

export const prompt: Prompt = ({ tools, example }) => `You may call these functions:
<functions>${spaced(tools.map(bare))}</functions>

To call some, write one call a line:
${example}`

export const examples: Examples = {
  'two calls': {
    wire: '<function_calls>get_weather(city="Paris", days=2)\nping()</function_calls>',
    calls: [
      ['get_weather', { city: 'Paris', days: 2 }],
      ['ping', {}],
    ],
  },
}
