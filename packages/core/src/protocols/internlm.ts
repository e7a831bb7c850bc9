import { gap, json, output, results, text, wire } from '../draw.ts'
import { spaced } from '../print/spaced.ts'
import { bare } from '../prompt/tools.ts'
import type { Examples, Family, Prompt, Protocol } from '../protocol.ts'

/** The tools are in a separate system turn, named after the plugin. Intern-S1 writes a space between the marks. */
export const internlm: Protocol<'internlm'> = {
  id: 'internlm',
  call: wire`<|action_start|>${gap}<|plugin|>\n${json({ name: 'name', args: ['parameters', 'arguments'], encoded: true })}<|action_end|>`,
  separator: '',
  reasoning: wire`<think>${text}</think>`,
  ignore: ['<|im_end|>'],
  result: wire`<|im_start|>environment name=<|plugin|>\n${output}<|im_end|>\n`,
  results: wire`${results('')}`,
}

export const family: Family = {
  about: 'InternLM 2 and 3, Intern-S1: JSON between marks',
  models: [/internlm-?[23]/i, /intern-?s1/i],
}

export const prompt: Prompt = ({ tools }) =>
  `<|im_start|>system name=<|plugin|>\n${spaced(tools.map(bare))}<|im_end|>\n`

export const examples: Examples = {
  'one call': {
    wire: 'Let me see.<|action_start|><|plugin|>\n{"name": "ping", "parameters": {}}<|action_end|>',
    text: 'Let me see.',
    calls: [['ping', {}]],
  },
}
