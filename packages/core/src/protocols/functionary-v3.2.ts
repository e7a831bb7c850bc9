import { args, first, name, output, wire } from '../draw.ts'
import { functionType, remarkedMembers } from '../prompt/typescript.ts'
import type { Examples, Family, Prompt, Protocol } from '../protocol.ts'

/**
 * The prompt ends with `>>>`, so it is missing before the first recipient. Differs: the template
 * keeps the caller's spacing in arguments, and it also prints a schema's examples, `oneOf` and
 * `nullable`, with parentheses around the values of a list.
 */
export const functionaryV32: Protocol<'functionary-v3.2'> = {
  id: 'functionary-v3.2',
  call: wire`>>>${name}\n${args}`,
  variants: [wire`${name}\n${args}`],
  separator: '',
  ignore: ['>>>all\n', wire`${first('all\n')}`, '<|eot_id|>'],
  result: wire`${output}`,
}

export const family: Family = {
  about: 'Functionary 3.2: the recipient, then JSON',
  models: [/functionary.{0,9}3\.2/i],
  template: '>>>all',
}

export const prompt: Prompt = ({
  tools,
}) => `You are capable of executing available function(s) if required.
Only execute function(s) when absolutely necessary.
Ask for the required input to:recipient==all
Use JSON for function arguments.
Respond in this format:
>>>\${recipient}
\${content}
Available functions:
// Supported function definitions that should be called when necessary.
namespace functions {

${tools.map((tool) => `${functionType(tool, remarkedMembers)}\n\n`).join('')}} // namespace functions`

export const examples: Examples = {
  'one call': { wire: '>>>ping\n{}', calls: [['ping', {}]] },
  'text, then a call': {
    wire: '>>>all\nA moment.\n>>>ping\n{}',
    text: 'A moment.\n',
    calls: [['ping', {}]],
    variant: true,
  },
}
