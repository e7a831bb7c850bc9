import { args, name, output, results, wire } from '../draw.ts'
import { bare } from '../prompt/tools.ts'
import { spaced } from '../print/spaced.ts'
import type { Examples, Family, Prompt, Protocol } from '../protocol.ts'

/**
 * Follows the template of Functionary 3.1. The template of Llama 3.1 asks for JSON: see
 * `llama3-json`.
 */
export const llama3: Protocol<'llama3'> = {
  id: 'llama3',
  call: wire`<function=${name}>${args}</function>`,
  variants: [wire`<function=${name}${args}</function>`],
  separator: '',
  ignore: ['<|eot_id|>', '<|eom_id|>'],
  result: wire`<|start_header_id|>ipython<|end_header_id|>\n\n${output}`,
  results: wire`${results('<|eot_id|>')}`,
}

export const family: Family = {
  about: 'Llama 3.1 with custom tools, Functionary 3.1: the name in the tag, JSON inside',
  models: [/functionary.{0,9}3\.1/i],
}

export const prompt: Prompt = ({ tools }) => `You have access to the following functions:

${tools.map((tool) => `Use the function '${tool.name}' to '${tool.description ?? ''}'\n${spaced(bare(tool))}`).join('\n\n')}


Think very carefully before calling functions.
If a you choose to call a function ONLY reply in the following format:
<{start_tag}={function_name}>{parameters}{end_tag}
where

start_tag => \`<function\`
parameters => a JSON dict with the function argument name as key and function argument value as value.
end_tag => \`</function>\`

Here is an example,
<function=example_function_name>{"example_name": "example_value"}</function>

Reminder:
- If looking for real time information use relevant functions before falling back to brave_search
- Function calls MUST follow the specified format, start with <function= and end with </function>
- Required parameters MUST be specified
- Only call one function at a time
- Put the entire function call reply on one line`

export const examples: Examples = {
  'one call': {
    wire: '<function=get_weather>{"city": "Paris"}</function>',
    calls: [['get_weather', { city: 'Paris' }]],
  },
  'a tag without its end': {
    wire: '<function=get_weather{"city": "Paris"}</function>',
    calls: [['get_weather', { city: 'Paris' }]],
    variant: true,
  },
}
