import { args, aside, first, name, outputJson, results, text, wire } from '../draw.ts'
import { functionType, plainMembers } from '../prompt/typescript.ts'
import type { Examples, Family, Prompt, Protocol } from '../protocol.ts'

/**
 * The channel, then the type of the content, which has several forms: `<|constrain|>json`, `json`,
 * `code`.
 */
const channel = aside({ print: 'commentary json' })
const constraint = aside({ starts: ['<|constrain|>'] })
const type = aside({ starts: [' ', '<|constrain|>'] })

/** The end of a message: one of three marks, or the next message. */
const ends = ['<|end|>', '<|return|>', '<|call|>', '<|start|>assistant']

/**
 * Follows the template of gpt-oss, with the recipient before the channel. Models also write it
 * after the channel, on the wrong channel, and without `functions.`. Differs: the template allows
 * one call per turn, and its system message says that calls go to `commentary`.
 */
export const harmony: Protocol<'harmony'> = {
  id: 'harmony',
  call: wire` to=functions.${name}<|channel|>${channel}${constraint}<|message|>${args}<|call|>`,
  separator: '<|start|>assistant',
  variants: [
    ...['commentary', 'analysis'].flatMap((spoken) => [
      wire`<|channel|>${spoken} to=functions.${name}${type}<|message|>${args}<|call|>`,
      wire`<|channel|>${spoken} to=${name}${type}<|message|>${args}<|call|>`,
    ]),
    wire`<|start|>assistant to=functions.${name}<|channel|>${channel}${constraint}<|message|>${args}<|call|>`,
    wire`<|start|>assistant to=${name}<|channel|>${channel}${constraint}<|message|>${args}<|call|>`,
    wire`${first('to=')}${name}<|channel|>${channel}${constraint}<|message|>${args}<|call|>`,
  ],
  reasoning: ends.map((end) => wire`<|channel|>analysis<|message|>${text}${end}`),
  answer: ['final', 'commentary'].flatMap((spoken) =>
    ends.map((end) => wire`<|channel|>${spoken}<|message|>${text}${end}`),
  ),
  ignore: [
    '<|channel|>commentary to=assistant',
    wire`<|channel|>${channel}${constraint}<|message|>`,
    '<|start|>assistant',
    wire`<|start|>${aside()}<|message|>`,
    '<|start|>',
    '<|end|>',
    '<|return|>',
    '<|call|>',
  ],
  result: wire`<|start|>functions.${name} to=assistant<|channel|>commentary<|message|>${outputJson}<|end|>`,
  results: wire`${results('')}`,
}

export const family: Family = {
  about: 'gpt-oss: every message names its channel; a call is a message to a function',
  models: [/gpt-?oss/i],
}

export const prompt: Prompt = ({ tools }) => `# Tools

## functions

namespace functions {

${tools.map((tool) => `${functionType(tool, plainMembers(','))}\n\n`).join('')}} // namespace functions`

export const examples: Examples = {
  'thought, then a call': {
    wire: '<|channel|>analysis<|message|>Need weather.<|end|><|start|>assistant to=functions.get_weather<|channel|>commentary json<|message|>{"city": "Paris"}<|call|>',
    reasoning: 'Need weather.',
    calls: [['get_weather', { city: 'Paris' }]],
  },
  'the recipient after the channel': {
    wire: '<|channel|>commentary to=functions.ping <|constrain|>json<|message|>{}<|call|>',
    calls: [['ping', {}]],
    variant: true,
  },
  'an answer': { wire: '<|channel|>final<|message|>It rains.<|return|>', text: 'It rains.' },
}
