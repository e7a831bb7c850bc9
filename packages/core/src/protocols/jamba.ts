import { calls, envelope, gap, output, wire } from '../draw.ts'
import { jsonLines } from '../prompt/json-lines.ts'
import type { Examples, Family, Prompt, Protocol } from '../protocol.ts'

/** Its template is unknown: the prompt and the results are our own. */
export const jamba: Protocol<'jamba'> = {
  id: 'jamba',
  section: wire`<tool_calls>${gap}[${calls({ separator: ', ' })}]${gap}</tool_calls>`,
  call: wire`${envelope}`,
  ignore: ['<|eom|>'],
  result: wire`<tool_response>${output}</tool_response>`,
}

export const family: Family = {
  about: 'Jamba 1.5 and later: a JSON list between tags',
  models: [/jamba-(?!reas)/i],
}

export const prompt: Prompt = jsonLines

export const examples: Examples = {
  'one call': {
    wire: '<tool_calls>[{"name": "ping", "arguments": {}}]</tool_calls>',
    calls: [['ping', {}]],
  },
}
