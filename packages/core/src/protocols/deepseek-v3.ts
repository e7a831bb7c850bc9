import { args, calls, name, output, results, text, wire } from '../draw.ts'
import { bare } from '../prompt/tools.ts'
import type { Examples, Family, Prompt, Protocol } from '../protocol.ts'

/** The variants of the opening. After it, models may omit the opening of the first call. */
const openings = [
  '<｜tool▁calls▁begin｜>',
  '<｜tool_calls_begin｜>',
  '<｜tool calls begin｜>',
  '<｜tool\\_calls\\_begin｜>',
  '<｜tool▁calls｜>',
]

/** All marks with an ASCII bar, as in distilled models. */
const ascii = wire`<|tool▁call▁begin|>function<|tool▁sep|>${name}\n\`\`\`json\n${args}\n\`\`\`<|tool▁call▁end|>`

/**
 * Differs: the authors' templates do not list tools. One other template does, with this prompt; it
 * adds a line break before results.
 */
export const deepseekV3: Protocol<'deepseek-v3'> = {
  id: 'deepseek-v3',
  section: wire`<｜tool▁calls▁begin｜>${calls({ separator: '\n' })}<｜tool▁calls▁end｜>`,
  call: wire`<｜tool▁call▁begin｜>function<｜tool▁sep｜>${name}\n\`\`\`json\n${args}\n\`\`\`<｜tool▁call▁end｜>`,
  variants: [
    wire`<｜tool▁call▁begin｜>function<｜tool▁sep｜>${name}\n${args}<｜tool▁call▁end｜>`,
    ...openings.flatMap((opening) => [
      wire`${opening}${calls({ separator: '\n' })}<｜tool▁calls▁end｜>`,
      wire`${opening}function<｜tool▁sep｜>${name}\n\`\`\`json\n${args}\n\`\`\`<｜tool▁call▁end｜>`,
    ]),
    wire`<|tool▁calls▁begin|>${calls({ of: ascii, separator: '\n' })}<|tool▁calls▁end|>`,
  ],
  reasoning: wire`<think>${text}</think>`,
  ignore: [
    '<｜end▁of▁sentence｜>',
    '<|end▁of▁sentence|>',
    '<｜Assistant｜>',
    '<｜tool▁calls▁end｜>',
  ],
  result: wire`<｜tool▁output▁begin｜>${output}<｜tool▁output▁end｜>`,
  results: wire`<｜tool▁outputs▁begin｜>${results('\n')}<｜tool▁outputs▁end｜>`,
}

export const family: Family = {
  about: 'DeepSeek V3, R1 and its distillations, Cogito: fenced JSON between marks',
  models: [/deepseek.{0,6}(?:v2\.5|v3(?![.p\d])|r1)/i, /cogito-?v?2/i],
}

export const prompt: Prompt = ({
  tools,
}) => `You can call any of the following function tools to satisfy the user's requests: ${JSON.stringify(tools.map(bare), null, 2)}

Example function tool call syntax:

<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>example_function_name
\`\`\`json
{
  "arg1": "some_value"
  ...
}
\`\`\`
<｜tool▁call▁end｜><｜tool▁calls▁end｜>`

export const examples: Examples = {
  'one call': {
    wire: '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n```json\n{"city": "Paris"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    calls: [['get_weather', { city: 'Paris' }]],
  },
  'bars of ASCII': {
    wire: '<|tool▁calls▁begin|><|tool▁call▁begin|>function<|tool▁sep|>ping\n```json\n{"n": 1}\n```<|tool▁call▁end|><|tool▁calls▁end|><|end▁of▁sentence|>',
    calls: [['ping', { n: 1 }]],
    variant: true,
  },
  'another opening': {
    wire: '<｜tool calls begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>ping\n```json\n{}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    calls: [['ping', {}]],
    variant: true,
  },
}
