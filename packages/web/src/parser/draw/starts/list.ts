import type { Examples, Protocol } from '@toolglot/core'
import { calls, json, output, results, wire } from '@toolglot/core/draw'

/** Example replies and their expected calls. */
export const examples: Examples = {
  'two calls': {
    wire: '[CALLS][{"tool": "get_weather", "input": {"city": "Paris"}}, {"tool": "ping", "input": {}}][/CALLS]',
    calls: [
      ['get_weather', { city: 'Paris' }],
      ['ping', {}],
    ],
  },
  'one call alone': {
    wire: '[CALL]{"tool": "ping", "input": {}}[/CALL]',
    calls: [['ping', {}]],
    variant: true,
  },
}

// The members of the JSON object that contain the call's name and arguments.
const envelope = json({ name: 'tool', args: ['input', 'arguments'] })

const list: Protocol = {
  id: 'list',
  about: 'A JSON list of calls between marks',
  // Wraps all calls of a turn; `call` is one of them.
  section: wire`[CALLS][${calls({ separator: ', ' })}][/CALLS]`,
  call: wire`${envelope}`,
  variants: [wire`[CALL]${envelope}[/CALL]`],
  result: wire`[RESULT]${output}[/RESULT]`,
  results: wire`${results('\n')}`,
  prompt: ({ tools, example }) =>
    `Tools:\n${JSON.stringify(tools, null, 2)}\n\nCall them like this:\n${example}`,
}
export default list
