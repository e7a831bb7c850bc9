import { calls, each, key, name, output, text, value, wire } from '../draw.ts'
import { spaced } from '../print/spaced.ts'
import { bare } from '../prompt/tools.ts'
import type { Examples, Family, Prompt, Protocol } from '../protocol.ts'

const plain = value({ untyped: 'scalar' })
const members = each([
  wire`<parameter name="${key}">${plain}</parameter>\n`,
  wire`<parameter name='${key}'>${plain}</parameter>\n`,
  wire`<parameter name=${key}>${plain}</parameter>\n`,
])

export const minimaxM2: Protocol<'minimax-m2'> = {
  id: 'minimax-m2',
  section: wire`<minimax:tool_call>\n${calls({ separator: '\n' })}\n</minimax:tool_call>`,
  call: wire`<invoke name="${name}">\n${members}</invoke>`,
  variants: [
    wire`<invoke name='${name}'>\n${members}</invoke>`,
    wire`<invoke name=${name}>\n${members}</invoke>`,
  ],
  reasoning: wire`<think>\n${text}\n</think>`,
  ignore: ['</minimax:tool_call>', '[e~['],
  result: wire`<response>${output}</response>`,
}

export const family: Family = {
  about: 'MiniMax M2: named attributes, in a section',
  models: [/minimax-?m2/i],
}

export const prompt: Prompt = ({ tools }) => `# Tools
You may call one or more tools to assist with the user query.
Here are the tools available in JSONSchema format:

<tools>
${tools.map((tool) => `<tool>${spaced(bare(tool))}</tool>`).join('\n')}
</tools>

When making tool calls, use XML format to invoke tools and pass parameters:

<minimax:tool_call>
<invoke name="tool-name-1">
<parameter name="param-key-1">param-value-1</parameter>
<parameter name="param-key-2">param-value-2</parameter>
...
</invoke>
</minimax:tool_call>`

export const examples: Examples = {
  'two calls': {
    wire: '<minimax:tool_call>\n<invoke name="get_weather">\n<parameter name="city">Paris</parameter>\n<parameter name="days">2</parameter>\n</invoke>\n<invoke name="ping">\n</invoke>\n</minimax:tool_call>',
    calls: [
      ['get_weather', { city: 'Paris', days: 2 }],
      ['ping', {}],
    ],
  },
}
