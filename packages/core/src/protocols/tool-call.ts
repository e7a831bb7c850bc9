import { json, outcome, sentence, text, wire } from '../draw.ts'
import { signature } from '../prompt/signature.ts'
import type { Examples, Family, Prompt, Protocol } from '../protocol.ts'

export const toolCall: Protocol<'tool-call'> = {
  id: 'tool-call',
  call: wire`<TOOL_CALL>\n${json({ name: 'tool', args: 'args', reasoning: 'reasoning' })}\n</TOOL_CALL>`,
  reasoning: wire`<think>\n${text}\n</think>`,
  result: wire`TOOL_RESULT: ${outcome({ success: 'success', data: 'data', error: 'error' })}`,
  error: wire`TOOL_ERROR: ${sentence} Please try again with correct format.`,
}

export const family: Family = {
  about: 'Any chat model, as instructed by the prompt: JSON between <TOOL_CALL> tags',
}

export const prompt: Prompt = ({
  tools,
}) => `You are an AI coding assistant with access to these tools:

AVAILABLE TOOLS:
${tools.map((tool) => `- ${signature(tool)}`).join('\n')}

TOOL CALLING PROTOCOL:
When you need to use a tool, respond with this EXACT format:

<TOOL_CALL>
{
  "tool": "tool_name",
  "args": {"arg1": "value1"},
  "reasoning": "why you need this tool"
}
</TOOL_CALL>

IMPORTANT RULES:
1. Use ONLY ONE tool call per response
2. JSON inside <TOOL_CALL> must be valid
3. "tool" must match exactly one of the available tools
4. "args" must include all required parameters
5. After receiving TOOL_RESULT, you can make another tool call or provide final answer
6. When you have the final answer, respond normally without any tags

EXAMPLES:
User: "What's in package.json?"
You: <TOOL_CALL>
{
  "tool": "read_file",
  "args": {"path": "package.json"},
  "reasoning": "Need to read package.json to answer"
}
</TOOL_CALL>

System: TOOL_RESULT: {"success": true, "data": {"content": "{\\"version\\": \\"1.0.0\\"}"}}

You: The package.json contains version 1.0.0`

export const examples: Examples = {
  'one call': {
    wire: '<TOOL_CALL>\n{"tool": "read_file", "args": {"path": "test.ts"}}\n</TOOL_CALL>',
    calls: [['read_file', { path: 'test.ts' }]],
  },
  'no JSON between the tags': {
    wire: '<TOOL_CALL>{invalid json}</TOOL_CALL>',
    text: '<TOOL_CALL>{invalid json}</TOOL_CALL>',
    malformed: ['syntax'],
  },
}
