import { envelope, text, wire } from '../draw.ts'
import type { Family, Prompt, Protocol } from '../protocol.ts'
import { glm } from './glm.ts'
import { lagunaS, prompt as lagunaSPrompt } from './laguna-s.ts'

/** Differs: without thinking, the template omits the part about it. */
export const laguna: Protocol<'laguna'> = {
  ...glm,
  id: 'laguna',
  dialect: 'glm',
  variants: [...glm.variants!, wire`${envelope}`],
  reasoning: wire`<think>\n${text}\n</think>`,
  ignore: lagunaS.ignore!,
}

export const family: Family = {
  about: 'Poolside Laguna XS: like GLM',
  models: [/laguna(?!-?s)/i],
}

export const prompt: Prompt = (context) => `${lagunaSPrompt(context)}

Wrap your thinking in '<think>', '</think>' tags, followed by a function call. For each function call, return an unescaped XML-like object with function name and arguments within '<tool_call>' and '</tool_call>' tags, like here:
<think> your thoughts here </think>
<tool_call>function-name
<arg_key>argument-key</arg_key>
<arg_value>value-of-argument-key</arg_value>
</tool_call>`
