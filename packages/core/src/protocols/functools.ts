import { calls, envelope, gap, output, results, wire } from '../draw.ts'
import { bare } from '../prompt/tools.ts'
import type { Examples, Family, Prompt, Protocol } from '../protocol.ts'

/** Differs: the template (of FireFunction 2) leaves the list of functions to the caller. */
export const functools: Protocol<'functools'> = {
  id: 'functools',
  section: wire`functools${gap}[${calls({ separator: ', ' })}]`,
  call: wire`${envelope}`,
  variants: [wire`<|tool_call|>${gap}[${calls({ separator: ', ' })}]${gap}<|/tool_call|>`],
  ignore: ['<|end|>', '<|eot_id|>', '<|/tool_call|>'],
  result: wire`<|start_header_id|>tool<|end_header_id|>\n\n${output}`,
  results: wire`${results('<|eot_id|>')}`,
}

export const family: Family = {
  about: 'Phi-4 mini, FireFunction 2: a JSON list after a word',
  models: [/phi-?4-mini/i, /firefunction-v2/i],
  template: 'functools[',
}

export const prompt: Prompt = ({
  tools,
}) => `In addition to plain text responses, you can chose to call one or more of the provided functions.

Use the following rule to decide when to call a function:
  * if the response can be generated from your internal knowledge (e.g., as in the case of queries like "What is the capital of Poland?"), do so
  * if you need external information that can be obtained by calling one or more of the provided functions, generate a function calls

If you decide to call functions:
  * prefix function calls with functools marker (no closing marker required)
  * all function calls should be generated in a single JSON list formatted as functools[{"name": [function name], "arguments": [function arguments as JSON]}, ...]
  * follow the provided JSON schema. Do not hallucinate arguments or values. Do to blindly copy values from the provided samples
  * respect the argument type formatting. E.g., if the type if number and format is float, write value 7 as 7.0
  * make sure you pick the right functions that match the user intent

Available functions as JSON spec:
${JSON.stringify(tools.map(bare), null, 4)}`

export const examples: Examples = {
  'one call': { wire: 'functools[{"name": "ping", "arguments": {}}]', calls: [['ping', {}]] },
}
