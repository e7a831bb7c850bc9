import { expect, test } from 'vitest'
import { printCalls, printPrompt, printResult, protocols } from '../index.ts'
import { calls, tools } from '../../fixtures/prompt-tools.ts'

const now =
  '{"name": "now", "description": "The time", "parameters": {"type": "object", "properties": {}}}'
const printed =
  '{"name": "ping", "arguments": {"host": "là", "Ports": [80, 443]}}, {"name": "now", "arguments": {}}'

/** Protocols whose tools stand in one list: what the prompt must hold, the calls, a result. */
test.each([
  [
    'lfm2',
    `List of tools: <|tool_list_start|>[{"type": "function", "function": ${now}}]<|tool_list_end|>`,
    "<|tool_call_start|>[ping(host='là', Ports=[80, 443]), now()]<|tool_call_end|>",
    '<|tool_response_start|>{"ms":3}<|tool_response_end|>',
  ],
  [
    'nemotron-v2',
    `You can use the following tools to assist the user if required:
<AVAILABLE_TOOLS>[${now}]</AVAILABLE_TOOLS>

If you decide to call any tool(s), use the following format:
<TOOLCALL>[{{"name": "tool_name1", "arguments": "tool_args1"}}, {{"name": "tool_name2", "arguments": "tool_args2"}}]</TOOLCALL>
`,
    `<TOOLCALL>[${printed}]</TOOLCALL>`,
    '<TOOL_RESPONSE>[{"ms":3}]</TOOL_RESPONSE>',
  ],
  [
    'apriel',
    `        <available_tools>
{'type': 'function', 'function': {'name': 'now', 'description': 'The time', 'parameters': {'type': 'object', 'properties': {}}}}        
        </available_tools>.
`,
    '<tool_calls>[{"name": "ping", "arguments": {"host": "là", "Ports": [80, 443]}, "id": "call00001"}, {"name": "now", "arguments": {}, "id": "call00002"}]</tool_calls>',
    '<|begin_tool_result|>\n{"ms":3}\n',
  ],
  [
    'functools',
    'Available functions as JSON spec:\n[\n    {\n        "name": "now",',
    `functools[${printed}]`,
    '<|start_header_id|>tool<|end_header_id|>\n\n{"ms":3}',
  ],
  [
    'internlm',
    `<|im_start|>system name=<|plugin|>\n[${now}]<|im_end|>\n`,
    '<|action_start|><|plugin|>\n{"name": "ping", "parameters": {"host": "là", "Ports": [80, 443]}}<|action_end|><|action_start|><|plugin|>\n{"name": "now", "parameters": {}}<|action_end|>',
    '<|im_start|>environment name=<|plugin|>\n{"ms":3}<|im_end|>\n',
  ],
])('%s', (id, prompt, wire, result) => {
  const protocol = protocols[id]!
  expect(printPrompt(protocol, tools.slice(1))).toContain(prompt)
  expect(printCalls(protocol, calls)).toBe(wire)
  expect(printResult(protocol, { call: calls[0]!, output: '{"ms":3}' })).toBe(result)
})
