import { expect, test } from 'vitest'
import { printCalls, printPrompt, printResult, protocols } from '../index.ts'
import { calls, tools } from '../../test/prompt-tools.ts'

const tagged = protocols.llama3
const json = protocols['llama3-json']

test('the prompt of Functionary 3.1', () => {
  expect(printPrompt(tagged, tools.slice(1))).toBe(`You have access to the following functions:

Use the function 'now' to 'The time'
{"name": "now", "description": "The time", "parameters": {"type": "object", "properties": {}}}


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
- Put the entire function call reply on one line`)
})

test('the prompt of Llama 3.1', () => {
  expect(printPrompt(json, tools.slice(1)))
    .toBe(`Given the following functions, please respond with a JSON for a function call with its proper arguments that best answers the given prompt.

Respond in the format {"name": function name, "parameters": dictionary of argument name and its value}.Do not use variables.

{
    "type": "function",
    "function": {
        "name": "now",
        "description": "The time",
        "parameters": {
            "type": "object",
            "properties": {}
        }
    }
}`)
})

test('calls', () => {
  expect(printCalls(tagged, calls)).toBe(
    '<function=ping>{"host": "là", "Ports": [80, 443]}</function><function=now>{}</function>',
  )
  expect(printCalls(json, calls.slice(0, 1))).toBe(
    '{"name": "ping", "parameters": {"host": "là", "Ports": [80, 443]}}',
  )
})

test('prints a result as text in one protocol and as JSON in the other', () => {
  const result = { call: calls[0]!, output: '{"ms":3}' }
  const header = '<|start_header_id|>ipython<|end_header_id|>\n\n'
  expect(printResult(tagged, result)).toBe(`${header}{"ms":3}`)
  expect(printResult(json, result)).toBe(`${header}"{\\"ms\\":3}"`)
})
