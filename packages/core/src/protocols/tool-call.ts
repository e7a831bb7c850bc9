import { json, outcome, sentence, text, wire } from '../draw.ts'
import { toolCallPrompt } from '../prompt/tool-call.ts'
import type { Examples, Family, Prompt, Protocol } from '../protocol.ts'

export const toolCall: Protocol<'tool-call'> = {
  id: 'tool-call',
  call: wire`<TOOL_CALL>\n${json({ name: 'tool', args: 'args', reasoning: 'reasoning' })}\n</TOOL_CALL>`,
  reasoning: wire`<think>\n${text}\n</think>`,
  result: wire`TOOL_RESULT: ${outcome({ success: 'success', data: 'data', error: 'error' })}`,
  error: wire`TOOL_ERROR: ${sentence} Please try again with correct format.`,
}

export const family: Family = {
  about: 'Any prompted model: JSON between <TOOL_CALL> tags',
}

export const prompt: Prompt = toolCallPrompt

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
