import type { Examples, Protocol } from '@toolglot/core'
import { keywords, lineStart, name, outputJson, wire } from '@toolglot/core/draw'

/** Example replies and their expected calls. */
export const examples: Examples = {
  'one call': {
    wire: '>>> get_weather(city="Paris", days=2)',
    calls: [['get_weather', { city: 'Paris', days: 2 }]],
  },
  'after some text': {
    wire: 'Let me look.\n>>> ping()',
    text: 'Let me look.\n',
    calls: [['ping', {}]],
    variant: true,
  },
}

const lines: Protocol = {
  id: 'lines',
  about: 'A line with a call as in Python',
  // `keywords` includes the closing parenthesis.
  call: wire`${lineStart}>>> ${name}(${keywords}`,
  result: wire`<<< ${outputJson}`,
  prompt: ({ tools, example }) => `You can call these functions:
${tools.map((tool) => `${tool.name}: ${tool.description ?? ''}`).join('\n')}

Write each call on a line of its own:
${example}`,
}
export default lines
