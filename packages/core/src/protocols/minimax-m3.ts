import { calls, elements, name, output, text, wire } from '../draw.ts'
import { spaced } from '../print/spaced.ts'
import { bare } from '../prompt/tools.ts'
import type { Examples, Family, Prompt, Protocol } from '../protocol.ts'

/** Precedes every tag. */
const mark = ']<]minimax[>['

const tag = (inner: string): string => `${mark}<${inner}>`
const element = (key: string, inner: string): string => `${tag(key)}${inner}${tag(`/${key}`)}`

/**
 * Differs: the template omits null arguments. Here they are printed, so that they can be read back.
 */
export const minimaxM3: Protocol<'minimax-m3'> = {
  id: 'minimax-m3',
  section: wire`${mark}<tool_call>\n${calls({ separator: '\n' })}\n${mark}</tool_call>`,
  call: wire`${mark}<invoke name="${name}">${elements({ prefix: mark })}${mark}</invoke>`,
  reasoning: wire`<mm:think>${text}</mm:think>`,
  ignore: ['[e~['],
  result: wire`<response>${output}</response>`,
}

export const family: Family = {
  about: 'MiniMax M3: elements named after the arguments, a mark before each tag',
  models: [/minimax-?m3/i],
}

export const prompt: Prompt = ({ tools }) => `# Tools
You may call one or more tools to assist with the user query.
Here are the tools available in JSONSchema format:

<tools>
${tools.map((tool) => `<tool>${spaced(bare(tool))}</tool>`).join('\n')}
</tools>

To call tools, wrap all invocations in a single ${element('tool_call', '')} block. Parameter values containing nested objects or arrays are recursively expanded into XML elements. Example:

${tag('tool_call')}
${tag('invoke name="tool-name-1"')}${element('param-1', 'value-1')}${element('param-2', element('item', element('key-a', 'val-a') + element('key-b', 'val-b')))}${tag('/invoke')}
${tag('invoke name="tool-name-2"')}${element('param-1', 'value-1')}${tag('/invoke')}
${tag('/tool_call')}`

export const examples: Examples = {
  'one call': {
    wire: `${mark}<tool_call>\n${mark}<invoke name="get_weather">${mark}<city>Paris${mark}</city>${mark}<days>2${mark}</days>${mark}</invoke>\n${mark}</tool_call>`,
    calls: [['get_weather', { city: 'Paris', days: 2 }]],
  },
  'nested values': {
    wire: `${mark}<tool_call>\n${mark}<invoke name="ping">${mark}<at>${mark}<host>a${mark}</host>${mark}<tags>${mark}<item>x${mark}</item>${mark}<item>y${mark}</item>${mark}</tags>${mark}</at>${mark}</invoke>\n${mark}</tool_call>`,
    calls: [['ping', { at: { host: 'a', tags: ['x', 'y'] } }]],
  },
}
