import { calls, gap, json, output, results, wire } from '../draw.ts'
import { openAiTool } from '../prompt/tools.ts'
import type { Examples, Family, Prompt, Protocol } from '../protocol.ts'
import { repr } from '../python/print.ts'

/**
 * Follows the template of 1.6. The template of 1.5 differs: it has the same text on single lines,
 * and results after `<|tool_result|>`.
 */
export const apriel: Protocol<'apriel'> = {
  id: 'apriel',
  section: wire`<tool_calls>${gap}[${calls({ separator: ', ' })}]${gap}</tool_calls>`,
  call: wire`${json({ name: 'name', args: ['arguments', 'parameters'], id: 'id', encoded: true })}`,
  ignore: ['[BEGIN FINAL RESPONSE]', '[END FINAL RESPONSE]', '<|end|>'],
  result: wire`<|begin_tool_result|>\n${output}\n`,
  results: wire`${results('\n\n')}`,
}

export const family: Family = {
  about: 'Apriel 1.5 and 1.6: a JSON list between tags',
  models: [/apriel/i],
  template: '[BEGIN FINAL RESPONSE]',
}

export const prompt: Prompt = ({
  tools,
}) => `You are provided with function signatures within <available_tools></available_tools> XML tags.
        You may call one or more functions to assist with the user query.
        Don't make assumptions about the arguments. You should infer the argument values from previous
        user responses and the system message.
        Here are the available tools: 
        <available_tools>
${tools.map((tool) => repr(openAiTool(tool))).join('')}        
        </available_tools>.

        Return all function calls as a list of JSON objects within <tool_calls></tool_calls> XML tags.
        Each JSON object should contain a function name and arguments as follows:
        <tool_calls>[
            {"name": <function-name-1>, "arguments": <args-dict-1>},
            {"name": <function-name-2>, "arguments": <args-dict-2>},
            ...
        ]</tool_calls>`

export const examples: Examples = {
  'one call': {
    wire: '<tool_calls>[{"name": "ping", "arguments": {}}]</tool_calls>',
    calls: [['ping', {}]],
  },
}
