import { parse, printCall, type Protocol } from '@toolglot/core'
import { args, name, output, wire } from '@toolglot/core/draw'

// A model of your own writes calls like this. One picture is read and printed.
const arrow: Protocol = {
  id: 'arrow',
  about: 'Our own fine-tune',
  call: wire`=> ${name} ${args} <=`,
  result: wire`<result>${output}</result>`,
  prompt: ({ tools, example }) => `Tools: ${tools.map((tool) => tool.name).join(', ')}\n${example}`,
}

console.log(printCall(arrow, { name: 'ping', args: { n: 1 } }))
console.log(parse('Ok. => ping {"n": 1, "s": "<=" } <= done', { protocols: arrow }).calls[0]!.args)

// => ping {"n": 1} <=
// { n: 1, s: '<=' }
