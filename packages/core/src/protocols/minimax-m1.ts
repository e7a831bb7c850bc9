import { calls, envelope, output, text, wire } from '../draw.ts'
import { openAiLines } from '../prompt/tools.ts'
import type { Examples, Family, Prompt, Protocol } from '../protocol.ts'

export const minimaxM1: Protocol<'minimax-m1'> = {
  id: 'minimax-m1',
  section: wire`<tool_calls>\n${calls({ separator: '\n' })}\n</tool_calls>`,
  call: wire`${envelope}`,
  reasoning: wire`<think>\n${text}\n</think>`,
  ignore: ['<end_of_sentence>'],
  result: wire`<beginning_of_sentence>tool name=tools\ntool result: ${output}\n\n<end_of_sentence>`,
}

export const family: Family = {
  about: 'MiniMax M1: one JSON object per line',
  models: [/minimax-?m1/i],
}

export const prompt: Prompt = ({ tools }) => `You are provided with these tools:
<tools>
${openAiLines(tools)}
</tools>

If you need to call tools, please respond with <tool_calls></tool_calls> XML tags, and provide tool-name and json-object of arguments, following the format below:
<tool_calls>
{"name": <tool-name>, "arguments": <args-json-object>}
...
</tool_calls>`

export const examples: Examples = {
  'two calls': {
    wire: '<tool_calls>\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n{"name": "ping", "arguments": {}}\n</tool_calls>',
    calls: [
      ['get_weather', { city: 'Paris' }],
      ['ping', {}],
    ],
  },
}
