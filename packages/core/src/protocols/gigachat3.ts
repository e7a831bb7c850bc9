import { envelope, first, output, wire } from '../draw.ts'
import { functionType, indentedMembers } from '../prompt/typescript.ts'
import type { Examples, Family, Prompt, Protocol } from '../protocol.ts'

/**
 * Follows the template of 3.1. Differs: the template allows one call per turn, and in 3.0 each call
 * is a separate turn. It also prints a schema's dates and additional properties.
 */
export const gigachat3: Protocol<'gigachat3'> = {
  id: 'gigachat3',
  call: wire`<|function_call|>${envelope}`,
  variants: [
    wire`<|message_sep|>\n\nfunction call<|role_sep|>\n${envelope}`,
    wire`${first('function call')}${envelope}`,
  ],
  separator: '',
  ignore: ['<|message_sep|>', '</s>'],
  result: wire`${output}`,
}

export const family: Family = {
  about: 'GigaChat 3: JSON after a mark',
  models: [/gigachat-?3/i],
  template: '<|role_sep|>',
}

export const prompt: Prompt = ({ tools }) => `namespace functions {
${tools.map((tool) => `${functionType(tool, indentedMembers, '  ')}\n\n`).join('')}} // namespace functions`

export const examples: Examples = {
  'one call': {
    wire: '<|function_call|>{"name": "ping", "arguments": {}}',
    calls: [['ping', {}]],
  },
  'as a separate turn': {
    wire: '<|message_sep|>\n\nfunction call<|role_sep|>\n{"name": "ping", "arguments": {}}',
    calls: [['ping', {}]],
    variant: true,
  },
}
