import { calls, gap, keywords, name, outputJson, results, wire } from '../draw.ts'
import { bare } from '../prompt/tools.ts'
import type { Examples, Family, Prompt, Protocol } from '../protocol.ts'

const call = wire`${name}(${keywords}`

/**
 * Llama 3.2's own template asks for JSON, but with a prompt like this one the model writes Python.
 * The wording is our own.
 */
export const pythonic: Protocol<'pythonic'> = {
  id: 'pythonic',
  section: wire`[${calls({ separator: ', ' })}]`,
  call,
  variants: [
    wire`<|python_start|>${gap}[${calls({ of: call, separator: ', ' })}]${gap}<|python_end|>`,
  ],
  ignore: ['<|python_start|>', '<|python_end|>', '<|eot_id|>', '<|eom_id|>', '<|eom|>', '<|eot|>'],
  result: wire`<|header_start|>ipython<|header_end|>\n\n${outputJson}`,
  results: wire`${results('<|eot|>')}`,
}

export const family: Family = {
  about: 'Llama 4, ToolACE, Llama 3.2 if asked: the reply is a Python list of calls',
  models: [/llama-?4(?!\d)/i, /toolace/i],
  template: '[func_name1(param',
}

export const prompt: Prompt = ({ tools, example }) => `You may call these functions:
${JSON.stringify(tools.map(bare), null, 4)}

To call functions, answer with a Python list of calls and nothing else:
${example}`

export const examples: Examples = {
  'two calls': {
    wire: '[get_weather(city="Paris", days=2), ping()]',
    calls: [
      ['get_weather', { city: 'Paris', days: 2 }],
      ['ping', {}],
    ],
  },
}
