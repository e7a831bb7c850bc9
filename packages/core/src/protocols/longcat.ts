import { envelope, output, text, wire } from '../draw.ts'
import { jsonLines } from '../prompt/json-lines.ts'
import type { Examples, Protocol } from '../protocol.ts'

/** Its template is unknown: the prompt and the results are our own. */
export const longcat: Protocol<'longcat'> = {
  id: 'longcat',
  about: 'LongCat Flash: as Hermes, with its own tags',
  call: wire`<longcat_tool_call>\n${envelope}\n</longcat_tool_call>`,
  reasoning: wire`<longcat_think>${text}</longcat_think>`,
  result: wire`<tool_response>${output}</tool_response>`,
  prompt: jsonLines,
  models: [/longcat-flash/i],
}

export const examples: Examples = {
  'one call': {
    wire: '<longcat_tool_call>\n{"name": "ping", "arguments": {}}\n</longcat_tool_call>',
    calls: [['ping', {}]],
  },
}
