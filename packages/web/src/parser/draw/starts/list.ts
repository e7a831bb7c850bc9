import type { Examples, Protocol } from '@toolglot/core'
import { calls, json, output, results, wire } from '@toolglot/core/draw'

/** Replies, and what must be read from them. */
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

// Which members of a JSON object carry the call.
const envelope = json({ name: 'tool', args: ['input', 'arguments'] })

const list: Protocol = {
  id: 'list',
  about: 'A JSON list of calls between marks',
  // What wraps all calls of a turn; `call` is one of them.
  section: wire`[CALLS][${calls({ separator: ', ' })}][/CALLS]`,
  call: wire`${envelope}`,
  variants: [wire`[CALL]${envelope}[/CALL]`],
  result: wire`[RESULT]${output}[/RESULT]`,
  results: wire`${results('\n')}`,
  prompt: ({ tools, example }) =>
    `Tools:\n${JSON.stringify(tools, null, 2)}\n\nCall them like this:\n${example}`,
}
export default list
