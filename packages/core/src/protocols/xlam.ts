import { calls, envelope, gap, output, results, text, wire } from '../draw.ts'
import { openAiTool } from '../prompt/tools.ts'
import type { Examples, Family, Prompt, Protocol } from '../protocol.ts'

/** The prompt follows the models' layout (each tool as indented JSON); the wording is our own. */
export const xlam: Protocol<'xlam'> = {
  id: 'xlam',
  section: wire`[${calls({ separator: ', ' })}]`,
  call: wire`${envelope}`,
  variants: [
    wire`[TOOL_CALLS]${gap}[${calls({ separator: ', ' })}]`,
    wire`<tool_call>${gap}[${calls({ separator: ', ' })}]${gap}</tool_call>`,
  ],
  reasoning: wire`<think>${text}</think>`,
  ignore: ['<|eot_id|>', '<|im_end|>'],
  result: wire`<|start_header_id|>ipython<|end_header_id|>\n\n${output}`,
  results: wire`${results('<|eot_id|>')}`,
}

export const family: Family = {
  about: 'xLAM: the reply is a JSON list',
  models: [/xlam/i],
  template: '[{"name": "tool_call_name"',
}

export const prompt: Prompt = ({
  tools,
}) => `You can call tools. Write all calls as one JSON array and nothing else:

[{"name": "tool_call_name", "arguments": {"arg1": "value1", "arg2": "value2"}}]

The available tools are:

${tools.map((tool) => JSON.stringify(openAiTool(tool), null, 4)).join('\n\n')}`

export const examples: Examples = {
  'one call': { wire: '[{"name": "ping", "arguments": {}}]', calls: [['ping', {}]] },
  'after a thought': {
    wire: '<think>Paris, then.</think>[{"name": "get_weather", "arguments": {"city": "Paris"}}]',
    reasoning: 'Paris, then.',
    calls: [['get_weather', { city: 'Paris' }]],
    variant: true,
  },
}
