import { json, text, wire } from '../draw.ts'
import { openAiTool } from '../prompt/tools.ts'
import type { Protocol } from '../protocol.ts'
import { glm } from './glm.ts'

/** As Laguna XS; Laguna S writes the same without any line break, and is told of the tools only. */
export const laguna: Protocol = {
  ...glm,
  id: 'laguna',
  about: 'Poolside Laguna: as GLM',
  variants: [
    ...glm.variants!,
    wire`${json({ name: 'name', args: ['arguments', 'parameters'], encoded: true })}`,
  ],
  reasoning: wire`<think>\n${text}\n</think>`,
  ignore: ['</tool_call>', '<assistant>', '</assistant>'],

  prompt: ({ tools }) => `### Tools

You may call functions to assist with the user query.
All available function signatures are listed below:
<available_tools>
${tools.map(openAiTool).join('\n')}
</available_tools>

Wrap your thinking in '<think>', '</think>' tags, followed by a function call. For each function call, return an unescaped XML-like object with function name and arguments within '<tool_call>' and '</tool_call>' tags, like here:
<think> your thoughts here </think>
<tool_call>function-name
<arg_key>argument-key</arg_key>
<arg_value>value-of-argument-key</arg_value>
</tool_call>`,

  models: [/laguna/i],
}
