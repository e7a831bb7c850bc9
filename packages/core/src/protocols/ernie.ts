import { envelope, output, text, wire } from '../draw.ts'
import { jsonLines } from '../prompt/json-lines.ts'
import type { Examples, Family, Prompt, Protocol } from '../protocol.ts'

/** Its template is unknown: the prompt and the results are our own. */
export const ernie: Protocol<'ernie'> = {
  id: 'ernie',
  call: wire`<tool_call>\n${envelope}\n</tool_call>`,
  reasoning: wire`<think>${text}</think>`,
  ignore: ['<response>', '</response>'],
  result: wire`<tool_response>${output}</tool_response>`,
}

export const family: Family = {
  about: 'ERNIE 4.5: like Hermes, with answers in a tag',
  models: [/ernie-?4/i],
}

export const prompt: Prompt = jsonLines

export const examples: Examples = {
  'one call': {
    wire: '<tool_call>\n{"name": "ping", "arguments": {}}\n</tool_call>',
    calls: [['ping', {}]],
  },
}
