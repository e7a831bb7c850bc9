import { results, text, wire } from '../draw.ts'
import { openAiLines } from '../prompt/tools.ts'
import type { Family, Prompt, Protocol } from '../protocol.ts'
import { glm47 } from './glm-4.7.ts'

export const lagunaS: Protocol<'laguna-s'> = {
  ...glm47,
  id: 'laguna-s',
  dialect: 'glm',
  reasoning: wire`<think>${text}</think>`,
  ignore: ['</tool_call>', '<assistant>', '</assistant>'],
  results: wire`${results('\n')}`,
}

export const family: Family = {
  about: 'Poolside Laguna S: like GLM 4.7',
  models: [/laguna-?s/i],
}

export const prompt: Prompt = ({ tools }) => `### Tools

You may call functions to assist with the user query.
All available function signatures are listed below:
<available_tools>
${openAiLines(tools)}
</available_tools>`

export { examples } from './glm-4.7.ts'
