import { envelope, output, wire } from '../draw.ts'
import { bareLines } from '../prompt/tools.ts'
import type { Examples, Family, Prompt, Protocol } from '../protocol.ts'

/** The list of functions and the marks are the model's; the wording around them is our own. */
export const granite20b: Protocol<'granite-20b'> = {
  id: 'granite-20b',
  call: wire`<function_call> ${envelope}`,
  ignore: ['<|endoftext|>'],
  result: wire`<function_response> ${output}`,
}

export const family: Family = {
  about: 'Granite 20B function calling: JSON after a mark',
  models: [/granite-?20b-func/i],
}

export const prompt: Prompt = ({ tools, example }) => `You may call these functions:
<|function_call_library|>
${bareLines(tools)}

To call one, write:
${example}`

export const examples: Examples = {
  'one call': {
    wire: '<function_call> {"name": "ping", "arguments": {}}',
    calls: [['ping', {}]],
  },
}
