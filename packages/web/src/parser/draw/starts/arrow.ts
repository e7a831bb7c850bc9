import type { Examples, Protocol } from '@toolglot/core'
import { args, name, output, wire } from '@toolglot/core/draw'

/** Example replies and their expected calls. */
export const examples: Examples = {
  'one call': { wire: '=> ping {"n": 1} <=', calls: [['ping', { n: 1 }]] },
  'marks in an argument': {
    wire: 'Ok. => say {"text": "=> <="} <=',
    text: 'Ok. ',
    calls: [['say', { text: '=> <=' }]],
  },
}

const arrow: Protocol = {
  id: 'arrow',
  about: 'Our own fine-tune',
  // One call, as the model writes it: this picture is both read and printed.
  call: wire`=> ${name} ${args} <=`,
  result: wire`<result>${output}</result>`,
  prompt: ({ tools, example }) => `Tools: ${tools.map((tool) => tool.name).join(', ')}\n${example}`,
}
export default arrow
