import { args, each, json, key, name, output, text, value, wire } from '../draw.ts'
import { xmlTree } from '../prompt/xml-tree.ts'
import type { Protocol } from '../protocol.ts'

const argument = [
  wire`<parameter=${key}>\n${value({ words: 'python' })}\n</parameter>\n`,
  wire`<parameter name="${key}">\n${value()}\n</parameter>\n`,
  wire`<parameter="${key}">\n${value()}\n</parameter>\n`,
]
/** The name of an argument where its value should be, and the value behind it. */
const misplaced = each(wire`<parameter>${key}</parameter>\n${value()}\n`)
const called = wire`<function=${name}>\n${each(argument)}</function>`
const named = wire`<function name="${name}">\n${each(argument)}</function>`
const quoted = wire`<function="${name}">\n${each(argument)}</function>`

/**
 * Prompts, calls and results are those of Qwen3-Coder. Nemotron 3 and Qwen 3.5 say `functions` for `tools`, have a longer
 * example, and Qwen 3.5 and Step 3.5 list the tools as JSON; Step 3.5 has no line breaks between calls and in results.
 */
export const qwen3Coder: Protocol = {
  id: 'qwen3-coder',
  about:
    'Qwen3-Coder, Qwen 3.5, Nemotron 3, MiMo, Step 3.5: a tag per argument, strings as they are',
  call: ['<tool_call>\n', ...called, '\n</tool_call>'],
  variants: [
    called,
    ['<tool_call>\n', ...named, '\n</tool_call>'],
    named,
    ['<tool_call>\n', ...quoted, '\n</tool_call>'],
    wire`<tool_call>\n<function=${name}>\n${misplaced}</function>\n</tool_call>`,
    wire`<tool_call>\n<function>${name}</function>\n${misplaced}</function>\n</tool_call>`,
    wire`<tool_call>\n${json({ name: 'name', args: ['arguments', 'parameters'], encoded: true })}\n</tool_call>`,
    wire`<tool_call>\n<function=${name}>\n${args}\n</function>\n</tool_call>`,
    wire`<function=${name}>\n${args}\n</function>`,
  ],
  reasoning: wire`<think>\n${text}\n</think>`,
  ignore: ['</tool_call>', '<|im_end|>'],
  result: wire`<tool_response>\n${output}\n</tool_response>`,

  prompt: ({ tools }) => `# Tools

You have access to the following tools:

<tools>
${tools.map(xmlTree).join('\n')}
</tools>

If you choose to call a tool ONLY reply in the following format with NO suffix:

<tool_call>
<function=example_function_name>
<parameter=example_parameter_1>
value_1
</parameter>
<parameter=example_parameter_2>
value_2
</parameter>
</function>
</tool_call>

<IMPORTANT>
Reminder:
- Function calls MUST follow the specified format: the tool calling block MUST begin with an opening <tool_call> tag and end with a closing </tool_call> tag.
- Required parameters MUST be specified
- You may provide optional reasoning for your function call in natural language BEFORE the function call, but NOT after
- If there is no function call available, answer the question like normal with your current knowledge and do not tell the user about function calls
</IMPORTANT>`,

  models: [
    /(?:^|_)qwen-?3(?:[.p][5-9]|.*coder)/i,
    /nemotron-?3-[nsu]/i,
    /mimo-v\d/i,
    /step-?3[.p]5/i,
    /intellect-3/i,
  ],
  examples: {
    'a value keeps its own lines': {
      wire: '<tool_call>\n<function=write_file>\n<parameter=path>\n12\n</parameter>\n<parameter=content>\n  if a < b:\n\n    pass\n</parameter>\n</function>\n</tool_call>',
      calls: [['write_file', { path: '12', content: '  if a < b:\n\n    pass' }]],
    },
    'no argument, no outer tag': {
      wire: '<function=ping>\n</function>\n</tool_call>',
      calls: [['ping', {}]],
      variant: true,
    },
  },
}
