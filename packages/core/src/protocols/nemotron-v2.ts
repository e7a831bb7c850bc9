import { calls, envelope, gap, output, results, text, wire } from '../draw.ts'
import { spaced } from '../print/spaced.ts'
import { bare } from '../prompt/tools.ts'
import type { Examples, Family, Prompt, Protocol } from '../protocol.ts'

export const nemotronV2: Protocol<'nemotron-v2'> = {
  id: 'nemotron-v2',
  section: wire`<TOOLCALL>${gap}[${calls({ separator: ', ' })}]${gap}</TOOLCALL>`,
  call: wire`${envelope}`,
  reasoning: wire`<think>${text}</think>`,
  ignore: ['<SPECIAL_12>'],
  result: wire`${output}`,
  results: wire`<TOOL_RESPONSE>[${results(', ')}]</TOOL_RESPONSE>`,
}

export const family: Family = {
  about: 'Nemotron Nano 2 and Super 1.5: a JSON list between tags',
  models: [/nemotron-(?:nano|super.*v1[._]5)/i],
}

export const prompt: Prompt = ({
  tools,
}) => `You can use the following tools to assist the user if required:
<AVAILABLE_TOOLS>${spaced(tools.map(bare))}</AVAILABLE_TOOLS>

If you decide to call any tool(s), use the following format:
<TOOLCALL>[{{"name": "tool_name1", "arguments": "tool_args1"}}, {{"name": "tool_name2", "arguments": "tool_args2"}}]</TOOLCALL>

The user will execute tool-calls and return responses from tool(s) in this format:
<TOOL_RESPONSE>[{{"tool_response1"}}, {{"tool_response2"}}]</TOOL_RESPONSE>

Based on the tool responses, you can call additional tools if needed, correct tool calls if any errors are found, or just respond to the user.`

export const examples: Examples = {
  'one call': {
    wire: '<TOOLCALL>[{"name": "ping", "arguments": {}}]</TOOLCALL>',
    calls: [['ping', {}]],
  },
}
