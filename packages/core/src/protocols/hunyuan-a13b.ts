import { calls, envelope, output, text, wire } from '../draw.ts'
import { jsonLines } from '../prompt/json-lines.ts'
import type { Examples, Family, Prompt, Protocol } from '../protocol.ts'

/** Its template is unknown: the prompt and the results are our own. */
export const hunyuanA13b: Protocol<'hunyuan-a13b'> = {
  id: 'hunyuan-a13b',
  section: wire`<tool_calls>[${calls({ separator: ', ' })}]</tool_calls>`,
  call: wire`${envelope}`,
  reasoning: wire`<think>${text}</think>`,
  ignore: ['<answer>', '</answer>', '助手：'],
  result: wire`<tool_response>${output}</tool_response>`,
}

export const family: Family = {
  about: 'Hunyuan A13B: a JSON list between tags',
  models: [/hunyuan-?a13b/i],
}

export const prompt: Prompt = jsonLines

export const examples: Examples = {
  'one call': {
    wire: '<tool_calls>[{"name": "ping", "arguments": {}}]</tool_calls>',
    calls: [['ping', {}]],
  },
}
