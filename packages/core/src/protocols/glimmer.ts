import { aside, calls, each, first, key, name, output, text, value, wire } from '../draw.ts'
import { glimmerTools } from '../prompt/glimmer.ts'
import type { Examples, Family, Prompt, Protocol } from '../protocol.ts'
import type { Wire } from '../wire.ts'

const argument = wire`<atem:parameter name="${key}">${value({ untyped: 'json' })}</atem:parameter>`

/** The prompt ends with the beginning of the first message's header. */
const headers = ['to=', '<|start|>assistant to=']

/** A message to a recipient. It ends with its own mark or the turn's. */
function messageTo(recipient: string): Wire[] {
  return headers.flatMap((header) =>
    ['<|eom|>', '<|eot|>'].map((end) => wire`${header}${recipient}<|message|>${text}${end}`),
  )
}

/**
 * Differs: in the template each call is a separate message. The caller has to print its header, `
 * to=NAME<|message|>`.
 */
export const glimmer: Protocol<'glimmer'> = {
  id: 'glimmer',
  section: wire`<atem:function_calls>\n${calls({ separator: '\n' })}\n</atem:function_calls>`,
  call: wire`<atem:invoke name="${name}">\n${each(argument, { separator: '\n' })}\n</atem:invoke>`,
  // The header's mark in the middle of an attribute ends it, with or without its quote.
  general: [
    wire`<atem:invoke name="${name}<|message|>${aside({ repair: 'stray-mark', marks: ['<|message|>', '">'] })}${each(argument, { separator: '\n' })}\n</atem:invoke>`,
  ],
  reasoning: messageTo('self'),
  answer: messageTo('user'),
  ignore: [
    wire`<|start|>assistant to=${aside()}<|message|>`,
    wire`${first('to=')}${aside()}<|message|>`,
    '<|start|>assistant',
    '<|message|>',
    '<|eom|>',
    '<|eot|>',
  ],
  result: wire`<tool_output name="${name}">\n${output}\n</tool_output>`,
}

export const family: Family = {
  about: 'Muse Glimmer: messages to a recipient, named attributes in them',
  models: [/glimmer/i],
}

export const prompt: Prompt = glimmerTools

export const examples: Examples = {
  'one call': {
    wire: '<atem:function_calls>\n<atem:invoke name="get_weather">\n<atem:parameter name="city">Paris</atem:parameter>\n</atem:invoke>\n</atem:function_calls>',
    calls: [['get_weather', { city: 'Paris' }]],
  },
  'a thought, an answer that shows a call, a call': {
    wire: ' to=self<|message|>Easy.<|eom|><|start|>assistant to=user<|message|>I write <atem:function_calls>.<|eom|><|start|>assistant to=ping<|message|><atem:function_calls>\n<atem:invoke name="ping">\n</atem:invoke>\n</atem:function_calls><|eot|>',
    reasoning: 'Easy.',
    text: 'I write <atem:function_calls>.',
    calls: [['ping', {}]],
    variant: true,
  },
  'a mark inside a name ends it': {
    wire: '<atem:function_calls>\n<atem:invoke name="ping<|message|><atem:parameter name="n">1</atem:parameter>\n</atem:invoke>\n<atem:invoke name="ping<|message|><|message|>">\n</atem:invoke>\n</atem:function_calls>',
    calls: [
      ['ping', { n: 1 }],
      ['ping', {}],
    ],
    repairs: ['stray-mark'],
    variant: true,
  },
}
