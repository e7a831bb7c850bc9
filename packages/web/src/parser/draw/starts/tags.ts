import type { Examples, Protocol } from '@toolglot/core'
import { each, key, name, output, text, value, wire } from '@toolglot/core/draw'

/** Example replies and their expected calls. */
export const examples: Examples = {
  'one call': {
    wire: '<call tool="get_weather">\n<arg name="city">Paris</arg>\n</call>',
    calls: [['get_weather', { city: 'Paris' }]],
  },
  'a thought before it': {
    wire: '<think>Just look.</think>\n<call tool="ping">\n</call>',
    reasoning: 'Just look.',
    calls: [['ping', {}]],
    variant: true,
  },
}

const tags: Protocol = {
  id: 'tags',
  about: 'A tag for each argument',
  // `each` repeats its picture for every argument.
  call: wire`<call tool="${name}">\n${each(wire`<arg name="${key}">${value()}</arg>\n`)}</call>`,
  reasoning: wire`<think>${text}</think>`,
  ignore: ['<|end|>'],
  result: wire`<output tool="${name}">${output}</output>`,
  prompt: ({ tools, example }) => `You can use these tools:
${tools.map((tool) => `- ${tool.name}: ${tool.description ?? ''} ${JSON.stringify(tool.parameters ?? {})}`).join('\n')}

To use one, write:
${example}`,
}
export default tags
