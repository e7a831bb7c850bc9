import { calls, each, envelope, key, name, output, value, wire } from '../draw.ts'
import { jsonLines } from '../prompt/json-lines.ts'
import type { Examples, Family, Prompt, Protocol } from '../protocol.ts'

const plain = value({ untyped: 'json' })
const members = each([
  wire`<parameter name="${key}">${plain}</parameter>\n`,
  wire`<parameter name='${key}'>${plain}</parameter>\n`,
  wire`<parameter name=${key}>${plain}</parameter>\n`,
])

/** Its template is unknown: the prompt and the results are our own. */
export const dots: Protocol<'dots'> = {
  id: 'dots',
  section: wire`<dots_function_call>\n${calls({ separator: '\n' })}\n</dots_function_call>`,
  call: wire`<invoke name="${name}">\n${members}</invoke>`,
  variants: [
    wire`<dots_function_call>\n${envelope}\n</dots_function_call>`,
    wire`<invoke name=${name}>\n${members}</invoke>`,
  ],
  ignore: ['</dots_function_call>'],
  result: wire`<response>${output}</response>`,
}

export const family: Family = {
  about: 'dots: named attributes, in a section',
  models: [/(?<![a-z\d])dots(?:\.llm|-?3-note)/i],
}

export const prompt: Prompt = jsonLines

export const examples: Examples = {
  'one call': {
    wire: '<dots_function_call>\n<invoke name="get_weather">\n<parameter name="city">Paris</parameter>\n</invoke>\n</dots_function_call>',
    calls: [['get_weather', { city: 'Paris' }]],
  },
}
