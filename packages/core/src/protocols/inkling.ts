import { aside, json, output, text, wire } from '../draw.ts'
import { jsonLines } from '../prompt/json-lines.ts'
import type { Examples, Family, Prompt, Protocol } from '../protocol.ts'

const envelope = json({ name: 'name', args: ['args', 'arguments'], encoded: true })

/** The marks that end a message. */
const ends = ['<|end_message|>', '<|content_model_end_sampling|>', '<|message_model|>']

/** Its template is unknown: the prompt and the results are our own. */
export const inkling: Protocol<'inkling'> = {
  id: 'inkling',
  call: wire`<|content_invoke_tool_json|>${envelope}<|end_message|>`,
  variants: [
    wire`<|message_model|>${aside()}<|content_invoke_tool_json|>${envelope}<|end_message|>`,
  ],
  separator: '<|message_model|>',
  reasoning: ends.map((end) => wire`<|content_thinking|>${text}${end}`),
  answer: ends.map((end) => wire`<|content_text|>${text}${end}`),
  ignore: [
    '<|message_model|>',
    '<|content_invoke_tool_text|>',
    '<|content_tool_error|>',
    '<|end_message|>',
    '<|content_model_end_sampling|>',
  ],
  result: wire`<tool_response>${output}</tool_response>`,
}

export const family: Family = {
  about: 'Inkling: typed blocks',
  models: [/inkling/i],
}

export const prompt: Prompt = jsonLines

export const examples: Examples = {
  'one call': {
    wire: '<|content_invoke_tool_json|>{"name": "ping", "args": {}}<|end_message|>',
    calls: [['ping', {}]],
  },
}
