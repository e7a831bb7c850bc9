import { each, key, name, output, results, text, value, wire } from '../draw.ts'
import { pythonDef } from '../prompt/python-def.ts'
import type { Examples, Family, Prompt, Protocol } from '../protocol.ts'

const argument = wire`<parameter=${key}>${value({ words: 'python' })}</parameter>\n`
const called = wire`<function=${name}>\n${each(argument)}</function>`

/** Differs: lists and objects are JSON; in the template they are Python. */
export const seedOss: Protocol<'seed-oss'> = {
  id: 'seed-oss',
  call: ['<seed:tool_call>\n', ...called, '\n</seed:tool_call>'],
  variants: [called],
  reasoning: wire`<seed:think>${text}</seed:think>`,
  ignore: ['</seed:tool_call>', '<seed:eos>'],
  result: wire`<seed:bos>tool\n${output}<seed:eos>`,
  results: wire`${results('')}`,
}

export const family: Family = {
  about: 'ByteDance Seed-OSS: a tag per argument',
  models: [/seed-?oss/i],
}

export const prompt: Prompt = ({ tools }) => `${tools.map(pythonDef).join('\n\n')}
工具调用请遵循如下格式:
<seed:tool_call>
<function=example_function_name>
<parameter=example_parameter_1>value_1</parameter>
<parameter=example_parameter_2>This is the value for the second parameter
that can span
multiple lines</parameter>
</function>
</seed:tool_call>
`

export const examples: Examples = {
  'two calls': {
    wire: '<seed:tool_call>\n<function=get_weather>\n<parameter=city>Paris</parameter>\n<parameter=days>2</parameter>\n</function>\n</seed:tool_call>\n<seed:tool_call>\n<function=ping>\n</function>\n</seed:tool_call>',
    calls: [
      ['get_weather', { city: 'Paris', days: 2 }],
      ['ping', {}],
    ],
  },
}
